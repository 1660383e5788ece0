#include "widgets/wrapping_row.hpp"

#include <QStyle>
#include <QWidget>

#include <algorithm>

namespace pollard::app {
namespace {

/// A spacer counts as empty.
bool takesPart(QLayoutItem& item) { return !item.isEmpty() || item.spacerItem() != nullptr; }

int heightOf(const std::vector<QLayoutItem*>& line) {
    int height = 0;
    for (const QLayoutItem* item : line) {
        height = std::max(height, item->sizeHint().height());
    }
    return height;
}

} // namespace

WrappingRow::WrappingRow(int spacing) {
    setContentsMargins(0, 0, 0, 0);
    setSpacing(spacing);
}

WrappingRow::~WrappingRow() = default;

void WrappingRow::addStretch() { addItem(new QSpacerItem(0, 0, QSizePolicy::Expanding, QSizePolicy::Minimum)); }

void WrappingRow::addItem(QLayoutItem* item) { items_.emplace_back(item); }

int WrappingRow::count() const { return static_cast<int>(items_.size()); }

QLayoutItem* WrappingRow::itemAt(int index) const {
    return index >= 0 && index < count() ? items_[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrappingRow::takeAt(int index) {
    if (index < 0 || index >= count()) {
        return nullptr;
    }
    QLayoutItem* item = items_[static_cast<std::size_t>(index)].release();
    items_.erase(items_.begin() + index);
    return item;
}

int WrappingRow::widthOf(const Line& line) const {
    int width = 0;
    for (const QLayoutItem* item : line) {
        width += item->sizeHint().width() + spacing();
    }
    return width - spacing();
}

std::vector<WrappingRow::Line> WrappingRow::linesFor(int width) const {
    std::vector<Line> lines(1);
    for (const auto& item : items_) {
        if (!takesPart(*item)) {
            continue;
        }
        lines.back().push_back(item.get());
        if (lines.back().size() > 1 && widthOf(lines.back()) > width) {
            lines.back().pop_back();
            lines.push_back({item.get()});
        }
    }
    return lines;
}

int WrappingRow::heightForWidth(int width) const {
    int height = -spacing();
    for (const Line& line : linesFor(width)) {
        height += heightOf(line) + spacing();
    }
    return std::max(height, 0);
}

QSize WrappingRow::sizeHint() const {
    const std::vector<Line> lines = linesFor(QLAYOUTSIZE_MAX);
    return {widthOf(lines.front()), heightOf(lines.front())};
}

QSize WrappingRow::minimumSize() const {
    QSize least;
    for (const auto& item : items_) {
        if (takesPart(*item)) {
            least = least.expandedTo(item->minimumSize());
        }
    }
    return {least.width(), width_ > 0 ? heightForWidth(width_) : least.height()};
}

void WrappingRow::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    int top = rect.top();
    for (const Line& line : linesFor(rect.width())) {
        const int height = heightOf(line);
        const auto expands = [](const QLayoutItem* item) {
            return (item->expandingDirections() & Qt::Horizontal) != 0;
        };
        auto sharing = static_cast<int>(std::count_if(line.begin(), line.end(), expands));
        int left = std::max(rect.width() - widthOf(line), 0);
        int x = rect.left();
        for (QLayoutItem* item : line) {
            int width = std::min(item->sizeHint().width(), rect.width());
            if (expands(item)) {
                const int share = left / sharing--;
                width += share;
                left -= share;
            }
            const int itemHeight = std::min(item->sizeHint().height(), height);
            const QRect place(x, top + (height - itemHeight) / 2, width, itemHeight);
            item->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), rect, place));
            x += width + spacing();
        }
        top += height + spacing();
    }
    if (rect.width() != width_) {
        width_ = rect.width();
        update(); // the least height follows the width
    }
}

} // namespace pollard::app
