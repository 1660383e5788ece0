#include "lessons/lesson_canvas.hpp"

#include <QApplication>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <utility>

namespace pollard::app {
namespace {

/// The most frequent colours, as many as fit an image of 8 bits; the others are rare shades of antialiasing.
QList<QRgb> frequentColours(const QImage& image) {
    std::map<QRgb, int> counts;
    for (int y = 0; y < image.height(); ++y) {
        for (int x = 0; x < image.width(); ++x) {
            ++counts[image.pixel(x, y)];
        }
    }
    std::vector<std::pair<int, QRgb>> colours;
    for (const auto& [colour, count] : counts) {
        colours.emplace_back(count, colour);
    }
    std::ranges::sort(colours, std::greater{});
    QList<QRgb> table;
    for (std::size_t i = 0; i < std::min<std::size_t>(256, colours.size()); ++i) {
        table.push_back(colours[i].second);
    }
    return table;
}

} // namespace

void saveImage(const QImage& image, const QString& path) {
    const QImage small = image.convertToFormat(QImage::Format_Indexed8, frequentColours(image), Qt::ThresholdDither);
    if (!small.save(path, "PNG", 0)) {
        std::fprintf(stderr, "lesson-images: cannot write %s\n", qPrintable(path));
        std::exit(1);
    }
}

DrawnRun::DrawnRun(const char* player, const teach::LabImage& image, const teach::PlayerSpec& spec)
    : recording_(std::make_shared<const vm::LabRecording>(vm::recordLab(*teach::findPlayer(player), image, spec))) {}

teach::TraceCursor DrawnRun::at(std::size_t done) const {
    teach::TraceCursor cursor(recording_->trace);
    cursor.moveTo(done);
    return cursor;
}

teach::TraceCursor DrawnRun::afterLine(int line, double part) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < trace().steps.size(); ++i) {
        if (trace().steps[i].text->line == line) {
            places.push_back(i + 1);
        }
    }
    const auto last = static_cast<double>(places.size() - 1);
    return at(places.at(static_cast<std::size_t>(part * last)));
}

LessonCanvas::LessonCanvas(int width, int height)
    : image_(width, height, QImage::Format_RGB32), palette_(QApplication::palette()) {
    image_.fill(Qt::white);
    painter_.begin(&image_);
    painter_.setRenderHint(QPainter::Antialiasing);
    font_ = QFont(QStringLiteral("DejaVu Sans"));
    font_.setPixelSize(15);
}

QRectF LessonCanvas::cell(int column, int row, int columns, int rows) const {
    const double width = (image_.width() - kMargin * (columns + 1)) / double(columns);
    const double height = (image_.height() - kMargin * (rows + 1)) / double(rows);
    return {kMargin + column * (width + kMargin), kMargin + row * (height + kMargin), width, height};
}

QRectF LessonCanvas::underTitle(const QRectF& area, const QString& title) {
    painter_.setFont(font_);
    painter_.setPen(palette_.color(QPalette::Text));
    painter_.drawText(QRectF(area.left(), area.top(), area.width(), kTitle), Qt::AlignLeft | Qt::AlignTop, title);
    return area.adjusted(0, kTitle, 0, 0);
}

void LessonCanvas::part(const QRectF& area, const QString& title, const DrawnRun& run, const teach::TraceCursor& cursor,
                        LabPart part) {
    const QRectF rest = underTitle(area, title);
    LabScene scene{.image = run.trace().image,
                   .recording = run.recording(),
                   .cursor = &cursor,
                   .palette = palette_,
                   .font = font_};
    painter_.save();
    painter_.setClipRect(rest);
    paintPart(painter_, rest, scene, part);
    painter_.restore();
}

void LessonCanvas::skyline(const QRectF& area, const QString& title, const std::vector<std::uint16_t>& before,
                           const std::vector<std::int64_t>& after) {
    const QRectF rest = underTitle(area, title);
    const double step = rest.width() / static_cast<double>(before.size());
    const double unit = rest.height() / (*std::ranges::max_element(before) + 0.5);
    const auto column = [&](std::size_t i, double level) {
        return QRectF(rest.left() + static_cast<double>(i) * step, rest.bottom() - level * unit, step - 2,
                      level * unit);
    };
    for (std::size_t i = 0; i < before.size(); ++i) {
        painter_.setBrush(Qt::NoBrush);
        painter_.setPen(QPen(QColor(0xa0, 0xa0, 0xa0), 1, Qt::DotLine));
        painter_.drawRect(column(i, before[i]));
        painter_.setPen(Qt::NoPen);
        painter_.setBrush(QColor(0x2f, 0x6f, 0xb0));
        painter_.drawRect(column(i, static_cast<double>(after[i])));
    }
    painter_.setPen(palette_.color(QPalette::Text));
    painter_.drawLine(rest.bottomLeft(), rest.bottomRight());
}

void LessonCanvas::save(const QString& path) {
    painter_.end();
    saveImage(image_, path);
}

} // namespace pollard::app
