#pragma once

#include "exercises/exercise.hpp"

#include <QString>

#include <vector>

class QPainter;
class QRectF;

namespace pollard::app {

/// Content of a sheet of exercises.
struct SheetSpec {
    std::uint32_t seed = 1;
    std::size_t count = 4;
    bool answers = false; ///< written into the cells
};

/// Paints an exercise: its text, the picture, and beside it cells for the answer.
void paintExercise(QPainter& painter, const QRectF& area, const teach::Exercise& exercise, std::size_t number,
                   bool answered);

/// Writes a sheet as a PDF with A4 pages. @return error message; empty on success
[[nodiscard]] QString saveSheet(const SheetSpec& spec, const QString& path);

} // namespace pollard::app
