// SPDX-License-Identifier: MIT OR Apache-2.0

//! Plots of floods, as SVG.

use std::path::{Path, PathBuf};

use anyhow::{anyhow, Result};
use plotters::coord::Shift;
use plotters::prelude::*;

use super::record::Run;
use super::table::{groups, median, range, side_by_side};

const SIZE: (u32, u32) = (900, 480);
const COLORS: [RGBColor; 4] = [
    RGBColor(0x99, 0x99, 0x99),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
    RGBColor(0x00, 0x72, 0xb2),
];

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

type Plot = fn(&[Run], &Area<'_>) -> Result<()>;

fn draw(runs: &[Run], path: PathBuf, plot: Plot) -> Result<PathBuf> {
    let area = SVGBackend::new(&path, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    plot(runs, &area)?;
    let present = area.present();
    drop(area);
    present.map_err(|error| anyhow!("{}: {error}", path.display()))?;
    Ok(path)
}

/// Draws `histogram.svg` into a folder.
pub fn histogram_in(runs: &[Run], folder: &Path) -> Result<PathBuf> {
    draw(runs, folder.join("histogram.svg"), histogram)
}

/// Draws `overshoot.svg` into a folder.
pub fn overshoot_in(runs: &[Run], folder: &Path) -> Result<PathBuf> {
    draw(runs, folder.join("overshoot.svg"), overshoot)
}

/// Draws `throughput.svg` into a folder.
pub fn throughput_in(runs: &[Run], folder: &Path) -> Result<PathBuf> {
    draw(runs, folder.join("throughput.svg"), throughput)
}

/// Draws all three; the files.
pub fn all(runs: &[Run], folder: &Path) -> Result<Vec<PathBuf>> {
    [histogram_in, overshoot_in, throughput_in]
        .into_iter()
        .map(|plot| plot(runs, folder))
        .collect()
}

/// The designs in the order in which they first appear.
fn designs(runs: &[Run]) -> Vec<&str> {
    let mut designs: Vec<&str> = Vec::new();
    for run in runs {
        if !designs.contains(&run.design.as_str()) {
            designs.push(&run.design);
        }
    }
    designs
}

fn color(index: usize) -> RGBColor {
    COLORS[index % COLORS.len()]
}

/// The share of enqueues of each design in each range of times, on a logarithmic scale.
fn histogram(runs: &[Run], area: &Area<'_>) -> Result<()> {
    let most = runs.iter().map(|run| run.producers).max().unwrap_or(0);
    let groups: Vec<_> = groups(runs)
        .into_iter()
        .filter(|group| group[0].producers == most)
        .collect();
    let rows = side_by_side(&groups);
    let column = |index: usize| rows.iter().map(move |(_, counts)| counts[index]);
    let sums: Vec<u64> = (0..groups.len()).map(|index| column(index).sum()).collect();
    let labels: Vec<_> = rows.iter().map(|(bucket, _)| range(bucket)).collect();
    let mut chart = ChartBuilder::on(area)
        .caption(
            format!("Time in enqueue, {most} producers"),
            ("sans-serif", 18),
        )
        .margin(10)
        .x_label_area_size(95)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..rows.len() as f64, (1e-7..1.0).log_scale())?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(rows.len() + 1)
        .x_label_style(
            ("sans-serif", 11)
                .into_font()
                .transform(FontTransform::Rotate90)
                .color(&BLACK),
        )
        .x_label_formatter(&|x| labels.get(*x as usize).cloned().unwrap_or_default())
        .y_label_formatter(&|share| format!("{:.5} %", share * 100.0))
        .y_desc("share of enqueues")
        .draw()?;
    let width = 0.8 / groups.len() as f64;
    for (index, group) in groups.iter().enumerate() {
        let bar = |(row, count): (usize, u64)| {
            let left = row as f64 + 0.1 + width * index as f64;
            let share = count as f64 / sums[index].max(1) as f64;
            Rectangle::new(
                [(left, 1e-7), (left + width, share.max(1e-7))],
                color(index).filled(),
            )
        };
        chart
            .draw_series(column(index).enumerate().map(bar))?
            .label(group[0].design.clone())
            .legend(move |(x, y)| {
                Rectangle::new([(x, y - 5), (x + 12, y + 5)], color(index).filled())
            });
    }
    legend(&mut chart)
}

/// The largest `rmem_alloc` of each tick as a share of rcvbuf, for the last run of each design.
fn overshoot(runs: &[Run], area: &Area<'_>) -> Result<()> {
    let last = |design: &&str| runs.iter().rfind(|run| run.design == **design);
    let designs = designs(runs);
    let shown: Vec<&Run> = designs.iter().filter_map(last).collect();
    let percent = |run: &Run, bytes: i32| f64::from(bytes) * 100.0 / f64::from(run.rcvbuf);
    let points = |run: &Run| -> Vec<(f64, f64)> {
        let seconds = |tick: usize| (tick as u64 * run.tick_ms) as f64 / 1000.0;
        let ticks = run.largest_by_tick.iter().enumerate();
        ticks
            .filter(|(_, bytes)| **bytes != 0)
            .map(|(tick, &bytes)| (seconds(tick), percent(run, bytes)))
            .collect()
    };
    let all: Vec<Vec<(f64, f64)>> = shown.iter().map(|run| points(run)).collect();
    let seconds = all
        .iter()
        .flatten()
        .map(|point| point.0)
        .fold(0.1, f64::max);
    let highest = all
        .iter()
        .flatten()
        .map(|point| point.1)
        .fold(100.5, f64::max);
    let lowest = all
        .iter()
        .flatten()
        .map(|point| point.1)
        .fold(99.9, f64::min);
    let mut chart = ChartBuilder::on(area)
        .caption(
            "Largest rmem_alloc of each tenth of a second",
            ("sans-serif", 18),
        )
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..seconds, lowest..highest + 0.1)?;
    chart
        .configure_mesh()
        .x_desc("seconds")
        .y_desc("% of rcvbuf")
        .draw()?;
    for (index, (run, points)) in shown.iter().zip(all).enumerate() {
        let bound = run.bound as f64 * 100.0 / f64::from(run.rcvbuf);
        chart
            .draw_series(LineSeries::new(points, color(index).stroke_width(2)))?
            .label(format!("{} (bound {bound:.2} %)", run.design))
            .legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 12, y)], color(index).stroke_width(2))
            });
    }
    legend(&mut chart)
}

/// Packets handled in a second against the number of producers.
fn throughput(runs: &[Run], area: &Area<'_>) -> Result<()> {
    let groups = groups(runs);
    let line = |design: &str| -> Vec<(f64, f64)> {
        let mut points: Vec<_> = groups
            .iter()
            .filter(|group| group[0].design == design)
            .map(|group| {
                let handled = median(group.iter().map(|run| run.handled));
                (group[0].producers as f64, handled / 1e6)
            })
            .collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points
    };
    let designs = designs(runs);
    let lines: Vec<_> = designs.iter().map(|design| line(design)).collect();
    let most = lines
        .iter()
        .flatten()
        .map(|point| point.0)
        .fold(1.0, f64::max);
    let highest = lines
        .iter()
        .flatten()
        .map(|point| point.1)
        .fold(0.1, f64::max);
    let mut chart = ChartBuilder::on(area)
        .caption("Packets delivered and dropped", ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0.5..most + 0.5, 0.0..highest * 1.1)?;
    chart
        .configure_mesh()
        .x_labels(most as usize + 1)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .x_desc("producers")
        .y_desc("million packets a second")
        .draw()?;
    for (index, points) in lines.into_iter().enumerate() {
        let dots: Vec<_> = points.clone();
        chart
            .draw_series(LineSeries::new(points, color(index).stroke_width(2)))?
            .label(designs[index].to_owned())
            .legend(move |(x, y)| {
                PathElement::new([(x, y), (x + 12, y)], color(index).stroke_width(2))
            });
        let dot = |point| Circle::new(point, 3, color(index).filled());
        chart.draw_series(dots.into_iter().map(dot))?;
    }
    legend(&mut chart)
}

type Chart<'a, 'b, X, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, Y>>;

fn legend<'a, 'b: 'a, X, Y>(chart: &mut Chart<'a, 'b, X, Y>) -> Result<()>
where
    X: Ranged<ValueType = f64>,
    Y: Ranged<ValueType = f64>,
{
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()
        .map_err(|error| anyhow!("{error}"))
}
