#include "lab/lab_scene.hpp"

#include "lab/lab_painters.hpp"
#include "theme/theme.hpp"
#include "vm/lab/lab_recording.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>

namespace pollard::app {
namespace {

QString labText(const char* source) { return QCoreApplication::translate("Lab", source); }

} // namespace

const std::vector<std::int64_t>& LabScene::layer(teach::Layer layer) const {
    static const std::vector<std::int64_t> kNone;
    return cursor != nullptr ? cursor->layer(layer) : kNone;
}

std::span<const teach::Change> LabScene::lastChanges() const {
    return cursor != nullptr ? vm::changesOfLastStep(*cursor) : std::span<const teach::Change>();
}

bool hasPart(const vm::LabRecording* recording, LabPart part) {
    using teach::Layer;
    const auto has = [recording](Layer layer) {
        return recording != nullptr && !recording->trace->start[static_cast<std::size_t>(layer)].empty();
    };
    switch (part) {
    case LabPart::parents:
        return has(Layer::parent);
    case LabPart::result:
        return has(Layer::output);
    case LabPart::tree:
        return has(Layer::parent) || has(Layer::kept);
    case LabPart::table:
        return has(Layer::table);
    case LabPart::words:
        return has(Layer::word);
    case LabPart::image:
        break;
    }
    return true;
}

QString titleOf(LabPart part) {
    switch (part) {
    case LabPart::parents:
        return labText("Parents");
    case LabPart::result:
        return labText("Result");
    case LabPart::tree:
        return labText("Tree");
    case LabPart::table:
        return labText("Table");
    case LabPart::words:
        return labText("Machine words");
    case LabPart::image:
        break;
    }
    return labText("Image");
}

void paintPart(QPainter& painter, const QRectF& area, const LabScene& scene, LabPart part) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(scene.font);
    switch (part) {
    case LabPart::image:
        paintImage(painter, area, scene);
        break;
    case LabPart::parents:
        paintParents(painter, area, scene);
        break;
    case LabPart::result:
        paintResult(painter, area, scene);
        break;
    case LabPart::tree:
        paintTree(painter, area, scene);
        break;
    case LabPart::table:
        paintTable(painter, area, scene);
        break;
    case LabPart::words:
        paintWords(painter, area, scene);
        break;
    }
    painter.restore();
}

namespace {

constexpr int kSide = 320; ///< px of a view
constexpr int kGap = 16;
constexpr double kHeading = 1.8; ///< in lines of text
constexpr double kCaption = 1.4; ///< factor of the font size of the caption
constexpr int kCaptionLines = 3;

int viewsOf(const LabScene& scene) {
    return static_cast<int>(
        std::ranges::count_if(kLabParts, [&](LabPart part) { return hasPart(scene.recording.get(), part); }));
}

double lineHeight(const LabScene& scene) { return QFontMetricsF(scene.font).height(); }

double codeHeight(const LabScene& scene) {
    const std::size_t lines = scene.recording != nullptr ? scene.recording->player->lines.size() : 0;
    return static_cast<double>(lines) * lineHeight(scene);
}

double captionHeight(const LabScene& scene) { return kCaptionLines * kCaption * lineHeight(scene); }

void paintViews(QPainter& painter, const LabScene& scene, double top) {
    double left = kGap;
    for (const LabPart part : kLabParts) {
        if (!hasPart(scene.recording.get(), part)) {
            continue;
        }
        QFont bold = scene.font;
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(scene.palette.color(QPalette::WindowText));
        painter.drawText(QRectF(left, top, kSide, kHeading * lineHeight(scene)), Qt::AlignLeft | Qt::AlignTop,
                         titleOf(part));
        const QRectF area(left, top + kHeading * lineHeight(scene), kSide, kSide);
        painter.fillRect(area, scene.palette.color(QPalette::Base));
        paintPart(painter, area.adjusted(4, 4, -4, -4), scene, part);
        left += kSide + kGap;
    }
}

void paintCode(QPainter& painter, const LabScene& scene, QRectF area) {
    const std::size_t done = scene.cursor != nullptr ? scene.cursor->done() : 0;
    const int lit = done > 0 ? scene.recording->trace->steps[done - 1].text->line : -1;
    painter.setFont(scene.font);
    const auto lines = scene.recording->player->lines;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const QRectF line(area.left(), area.top() + static_cast<double>(i) * lineHeight(scene), area.width(),
                          lineHeight(scene));
        const bool isLit = static_cast<int>(i) == lit;
        if (isLit) {
            painter.fillRect(line, scene.palette.color(QPalette::Highlight));
        }
        painter.setPen(scene.palette.color(isLit ? QPalette::HighlightedText : QPalette::WindowText));
        painter.drawText(line.adjusted(4, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, vm::teachText(lines[i]));
    }
}

} // namespace

QSize stateSize(const LabScene& scene) {
    const int width = kGap + std::max(2, viewsOf(scene)) * (kSide + kGap);
    const double height =
        kGap + kHeading * lineHeight(scene) + kSide + kGap + codeHeight(scene) + kGap + captionHeight(scene) + kGap;
    // Even numbers, required by some video encoders.
    return {width / 2 * 2, static_cast<int>(height) / 2 * 2};
}

void paintState(QPainter& painter, const LabScene& scene, bool captioned) {
    const QSize size = stateSize(scene);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(), size), scene.palette.color(QPalette::Window));
    paintViews(painter, scene, kGap);
    if (!captioned || scene.recording == nullptr) {
        return;
    }
    const double width = size.width() - 2.0 * kGap;
    const double below = kGap + kHeading * lineHeight(scene) + kSide + kGap;
    paintCode(painter, scene, {1.0 * kGap, below, width, codeHeight(scene)});
    QFont large = scene.font;
    large.setPointSizeF(large.pointSizeF() * kCaption);
    painter.setFont(large);
    painter.setPen(scene.palette.color(QPalette::WindowText));
    painter.drawText(QRectF(kGap, below + codeHeight(scene) + kGap, width, captionHeight(scene)),
                     Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap,
                     vm::captionAt(*scene.recording, scene.cursor != nullptr ? scene.cursor->done() : 0));
}

} // namespace pollard::app
