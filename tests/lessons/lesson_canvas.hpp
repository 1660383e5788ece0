#pragma once

#include "lab/lab_scene.hpp"
#include "vm/lab/lab_recording.hpp"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace pollard::app {

/// A run whose states are drawn.
class DrawnRun {
public:
    DrawnRun(const char* player, const teach::LabImage& image, const teach::PlayerSpec& spec);

    [[nodiscard]] const teach::Trace& trace() const { return *recording_->trace; }
    [[nodiscard]] std::shared_ptr<const vm::LabRecording> recording() const { return recording_; }
    [[nodiscard]] teach::TraceCursor at(std::size_t done) const;
    [[nodiscard]] teach::TraceCursor atEnd() const { return at(trace().steps.size()); }
    /// The state after the last step of a line of the pseudo-code. @param part fraction of the steps of that line, 0 to
    /// 1
    [[nodiscard]] teach::TraceCursor afterLine(int line, double part = 1) const;

private:
    std::shared_ptr<const vm::LabRecording> recording_;
};

/// Writes a PNG of at most 256 colours, or ends the program.
void saveImage(const QImage& image, const QString& path);

/// A row or two of drawings of equal height, each with a title.
class LessonCanvas {
public:
    static constexpr int kTitle = 30;  ///< px
    static constexpr int kMargin = 14; ///< px

    LessonCanvas(int width, int height);

    /// One view of a state.
    void part(const QRectF& area, const QString& title, const DrawnRun& run, const teach::TraceCursor& cursor,
              LabPart part);
    /// A row of pixels as columns of the height of their levels, with outlines of the parts removed by a filter.
    void skyline(const QRectF& area, const QString& title, const std::vector<std::uint16_t>& before,
                 const std::vector<std::int64_t>& after);
    /// Cell of a table of drawings that fills the canvas.
    [[nodiscard]] QRectF cell(int column, int row, int columns, int rows) const;

    void save(const QString& path);

private:
    QRectF underTitle(const QRectF& area, const QString& title);

    QImage image_;
    QPainter painter_;
    QPalette palette_;
    QFont font_;
};

} // namespace pollard::app
