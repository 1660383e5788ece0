#pragma once

#include "trace/trace.hpp"
#include "vm/lab/lab_recording.hpp"

#include <QFont>
#include <QPalette>
#include <QRectF>
#include <QSize>
#include <QString>

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

class QPainter;

namespace pollard::app {

/// Input of the lab's drawings: the same functions paint on the screen, into images and into SVG.
struct LabScene {
    const teach::LabImage& image;
    std::shared_ptr<const vm::LabRecording> recording; ///< may be null, or belong to a previous image
    const teach::TraceCursor* cursor = nullptr;        ///< position in the recording; null without one
    QPalette palette;
    QFont font{};
    int focus = -1;       ///< highlighted pixel; -1 for none
    bool indices = false; ///< parents as indices instead of arrows

    /// Values of a layer; empty if the algorithm has no such layer.
    [[nodiscard]] const std::vector<std::int64_t>& layer(teach::Layer layer) const;
    [[nodiscard]] std::span<const teach::Change> lastChanges() const;
};

/// Views of the lab.
enum class LabPart { image, parents, result, tree, table, words };

inline constexpr std::array kLabParts{LabPart::image, LabPart::parents, LabPart::result,
                                      LabPart::tree,  LabPart::table,   LabPart::words};

/// Whether the algorithm has the content of a view. @param recording may be null
[[nodiscard]] bool hasPart(const vm::LabRecording* recording, LabPart part);
[[nodiscard]] QString titleOf(LabPart part);

void paintPart(QPainter& painter, const QRectF& area, const LabScene& scene, LabPart part);

/// Size of a drawing of a state, px.
[[nodiscard]] QSize stateSize(const LabScene& scene);

/// Paints a state with all its views side by side, pseudo-code and caption below: for slides, frames and exercises.
/// @param captioned with title, caption and pseudo-code
void paintState(QPainter& painter, const LabScene& scene, bool captioned = true);

} // namespace pollard::app
