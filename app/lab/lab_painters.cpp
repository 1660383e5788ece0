#include "lab/lab_painters.hpp"

#include "theme/theme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace pollard::app {

namespace {

constexpr QRgb kActive = 0xffe66100;
constexpr QRgb kOther = 0xff2a7fff;
constexpr QRgb kWaiting = 0xff8a63d2;
constexpr QRgb kRetried = 0xffd01c5a;
constexpr QRgb kFocus = 0xffffc400; ///< like the chain's component in the image
constexpr int kDarkest = 28;        ///< minimum for cells, so that marks are visible on dark and bright cells
constexpr int kBrightest = 245;
constexpr int kHalf = 128;

} // namespace

QColor threadColour(std::int64_t thread) {
    static constexpr std::array<QRgb, 8> kColours{0xff0072b2, 0xffd55e00, 0xff009e73, 0xffcc79a7,
                                                  0xffe69f00, 0xff56b4e9, 0xff7f3f98, 0xff8c8c00};
    return QColor::fromRgb(kColours[static_cast<std::size_t>(thread) % kColours.size()]);
}

QColor markColour(teach::Mark mark, const QPalette& palette) {
    switch (mark) {
    case teach::Mark::active:
        return QColor::fromRgb(kActive);
    case teach::Mark::other:
        return QColor::fromRgb(kOther);
    case teach::Mark::waiting:
        return QColor::fromRgb(kWaiting);
    case teach::Mark::done:
        return palette.color(QPalette::Highlight);
    case teach::Mark::retried:
        return QColor::fromRgb(kRetried);
    case teach::Mark::none:
        break;
    }
    return {};
}

QColor edgeColour(teach::EdgeMark mark, const QPalette& palette) {
    switch (mark) {
    case teach::EdgeMark::active:
        return QColor::fromRgb(kActive);
    case teach::EdgeMark::used:
        return palette.color(QPalette::Highlight);
    case teach::EdgeMark::idle:
        return secondaryText(palette);
    case teach::EdgeMark::superfluous:
        return QColor::fromRgb(kRetried);
    case teach::EdgeMark::open:
        break;
    }
    return {};
}

QColor focusColour() { return QColor::fromRgb(kFocus); }

QColor cellColour(int level, int lowest, int highest) {
    const double share = highest > lowest ? static_cast<double>(level - lowest) / (highest - lowest) : 0.5;
    const int grey = kDarkest + static_cast<int>(share * (kBrightest - kDarkest));
    return {grey, grey, grey};
}

QColor inkOn(const QColor& ground) { return qGray(ground.rgb()) < kHalf ? Qt::white : Qt::black; }

LabGrid::LabGrid(const teach::LabImage& image, const QRectF& area)
    : columns_(static_cast<int>(image.width)), rows_(static_cast<int>(image.height)),
      side_(std::max(1.0, std::floor(std::min(area.width() / columns_, area.height() / rows_)))),
      origin_(std::floor(area.center().x() - side_ * columns_ / 2), std::floor(area.center().y() - side_ * rows_ / 2)) {
}

QRectF LabGrid::cell(std::int64_t pixel) const {
    const std::int64_t column = pixel % columns_;
    const std::int64_t row = pixel / columns_;
    return {corner(static_cast<double>(column), static_cast<double>(row)), QSizeF(side_, side_)};
}

int LabGrid::pixelAt(QPointF place) const {
    const QPointF at = (place - origin_) / side_;
    const int x = static_cast<int>(std::floor(at.x()));
    const int y = static_cast<int>(std::floor(at.y()));
    return x >= 0 && y >= 0 && x < columns_ && y < rows_ ? y * columns_ + x : -1;
}

} // namespace pollard::app
