# SPDX-License-Identifier: MIT OR Apache-2.0
"""Answers scripts from stdin, one line each, with the Python module of cvc5.

Scripts are separated by a line "; next". The only argument is the limit for each, in milliseconds.
"""
import sys

import cvc5

for text in sys.stdin.read().split("; next\n"):
    if not text.strip():
        continue
    try:
        solver = cvc5.Solver()
        solver.setOption("tlimit-per", sys.argv[1])
        symbols = cvc5.SymbolManager(solver)
        parser = cvc5.InputParser(solver, symbols)
        parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "condition")
        answer = ""
        while not (command := parser.nextCommand()).isNull():
            answer += str(command.invoke(solver, symbols))
        print(" ".join(answer.split()), flush=True)
    except Exception as error:
        print("error:", " ".join(str(error).split()), flush=True)
