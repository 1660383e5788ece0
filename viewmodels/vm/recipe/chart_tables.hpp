#pragma once

#include "vm/base/data_table.hpp"

namespace pollard::vm {

class AttributeHistogramViewModel;
class AttributePlaneViewModel;
class ChainViewModel;
class ContourSeries;
class ContourViewModel;
class HistogramViewModel;
class ObjectChartModel;
class SelectionSummary;
class SpectrumViewModel;

/// The exact numbers of each chart; a table without rows if the chart is empty. Bins have their end values.

/// Lowest level and number of pixels per bin.
[[nodiscard]] DataTable tableOf(const HistogramViewModel& histogram);
/// Values and number of components per bar.
[[nodiscard]] DataTable tableOf(const AttributeHistogramViewModel& histogram);
/// Every bin with its share of the grey mass, and the share of all below its end.
[[nodiscard]] DataTable tableOf(const SpectrumViewModel& spectrum);
/// Cells of the plane with components.
[[nodiscard]] DataTable tableOf(const AttributePlaneViewModel& plane);
/// Level and area from the smallest component to the root.
[[nodiscard]] DataTable tableOf(const ChainViewModel& chain);
/// Every state of the current run.
[[nodiscard]] DataTable tableOf(const ContourViewModel& contours);
/// Every followed contour on every page.
[[nodiscard]] DataTable tableOf(const ContourSeries& pages);
/// Bars of a histogram, or one object per row.
[[nodiscard]] DataTable tableOf(const ObjectChartModel& chart);
/// Bins of the attribute over the selection.
[[nodiscard]] DataTable tableOf(const SelectionSummary& summary);

} // namespace pollard::vm
