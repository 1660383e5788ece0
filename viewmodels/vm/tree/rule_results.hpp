#pragma once

#include "base/buffer.hpp"
#include "base/job_control.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_spec.hpp"
#include "image/image.hpp"
#include "image/mask.hpp"
#include "tree/component_tree.hpp"

#include <QImage>
#include <QRectF>
#include <QRgb>
#include <QSize>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace pollard::vm {

/// Input of a filter under all rules; constant.
struct RuleSource {
    std::shared_ptr<const ComponentTree> tree;
    std::shared_ptr<const Image> image; ///< filtered
    std::shared_ptr<const Mask> valid;  ///< pixels with data; null for all
    std::shared_ptr<const Mask> domain; ///< analysed pixels; null for all
    FilterSpec filter;                  ///< bounds in pixels; its rule is ignored
    FilterColumns columns;              ///< of the filter
    std::shared_ptr<const AttributeColumn> area;
    std::size_t firstPixel = 0; ///< of the tree, for the first pixel of the image: of the seen slice of a volume
};

/// The result of a filter under one rule.
struct RuleResult {
    Rule rule = Rule::direct;
    std::uint64_t keptNodes = 0;
    std::uint64_t changedPixels = 0;
    bool rootCounts = false;    ///< see NodeDecision
    std::optional<Rule> sameAs; ///< the first rule with the same picture, if that is another one
    std::shared_ptr<const Buffer<std::uint16_t>> values; ///< outputValues(), one object for the same pictures
};

/// The results of all rules on the whole tree, in the order of kAllRules. The values take 2 bytes per node and
/// different picture.
/// @throws Error(invalidArgument) if a column is not of the tree, Cancelled
[[nodiscard]] std::vector<RuleResult> filterByAllRules(const RuleSource& source, const JobControl& control);

/// The part of a picture to paint, and its colours.
struct PartLook {
    QRectF part; ///< px of the picture, within it
    QSize box;   ///< px, limit of the painted size
    std::function<QRgb(std::uint16_t level)> colour;
};

/// Paints a part of a result as large as fits the box. Every pixel is the pixel of the result at its middle, so that a
/// smaller picture leaves pixels out and a larger one repeats them; pixels without data are transparent.
[[nodiscard]] QImage paintPart(const RuleSource& source, const RuleResult& result, const PartLook& look);

} // namespace pollard::vm
