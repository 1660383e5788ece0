#pragma once

#include "lab_player_view_model.hpp"
#include "lab_view_model.hpp"

#include <QFont>
#include <QPalette>
#include <QRectF>

class QPainter;

namespace pollard::app {

/// What the drawings of the lab show: the same function paints on the screen, into pictures and into SVG.
struct LabScene {
    const vm::LabViewModel& lab;
    const vm::LabPlayerViewModel& player;
    QPalette palette;
    QFont font;
    bool focused = true;  ///< lights up LabViewModel::focus()
    bool indices = false; ///< parents as indices instead of arrows
};

/// Views of the lab.
enum class LabPart { picture, parents, result, tree, table, words };

/// Whether the algorithm has what a view shows.
[[nodiscard]] bool hasPart(const vm::LabPlayerViewModel& player, LabPart part);
[[nodiscard]] QString titleOf(LabPart part);

void paintPart(QPainter& painter, const QRectF& area, const LabScene& scene, LabPart part);

} // namespace pollard::app
