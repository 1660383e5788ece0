#include "vm/document/probe_view_model.hpp"

#include "vm/base/value_text.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/patient_text.hpp"

#include <QLocale>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace pollard::vm {

ProbeViewModel::ProbeViewModel(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::frameReady, this, &ProbeViewModel::refresh); // follows treeChanged(), too
    connect(&document_, &DocumentViewModel::resultFetched, this, &ProbeViewModel::refresh);
}

QString ProbeViewModel::text() const {
    if (!isValid()) {
        return {};
    }
    const QLocale locale;
    const auto shown = [&](qint64 value) { return value < 0 ? tr("unknown") : locale.toString(value); };
    if (!originalMappingOf(document_)) {
        return tr("x %1  y %2   value %3 → %4   node %5  level %6  area %7 px")
            .arg(QString::number(x_), QString::number(y_), shown(original_), shown(filtered_), shown(node_),
                 shown(level_), shown(area_));
    }
    return tr("x %1  y %2   value %3 → %4   node %5 of %6  area %7 px")
        .arg(QString::number(x_), QString::number(y_), originalText(), filteredText(), shown(node_),
             level_ < 0 ? tr("unknown") : greyText(mappingOf(document_), level_), shown(area_));
}

QString ProbeViewModel::originalText() const {
    return original_ < 0 ? tr("unknown") : greyText(originalMappingOf(document_), original_);
}

QString ProbeViewModel::filteredText() const {
    return filtered_ < 0 ? tr("unknown") : greyText(resultMappingOf(document_), filtered_);
}

QString ProbeViewModel::levelsText() const {
    const QLocale locale;
    return isValid() && originalMappingOf(document_) && original_ >= 0 && filtered_ >= 0
               ? tr("level %1 → %2").arg(locale.toString(original_), locale.toString(filtered_))
               : QString();
}

QString ProbeViewModel::patientPlace() const {
    return isValid() ? patientText(document_.imageInfo().get(),
                                   {static_cast<std::uint32_t>(x_), static_cast<std::uint32_t>(y_),
                                    static_cast<std::uint32_t>(z_)})
                     : QString();
}

void ProbeViewModel::setPosition(const QPointF& image) {
    section_.reset();
    position_ = image;
    hasPosition_ = true;
    refresh();
}

void ProbeViewModel::setSection(const ShownSlice& section, const QPointF& place) {
    section_ = section;
    position_ = place;
    hasPosition_ = true;
    refresh();
}

void ProbeViewModel::clear() {
    section_.reset();
    hasPosition_ = false;
    refresh();
}

void ProbeViewModel::refresh() {
    const auto all = [this] { return std::tie(x_, y_, z_, hasData_, original_, filtered_, node_, level_, area_); };
    const std::tuple<int, int, int, bool, int, int, qint64, int, qint64> before = all();
    x_ = y_ = z_ = original_ = filtered_ = level_ = -1;
    node_ = area_ = -1;
    hasData_ = true;

    if (section_ && (!section_->volume || section_->volume != document_.shown().volume)) { // of another document
        section_.reset();
        hasPosition_ = false;
    }
    const ShownSlice& shown = section_ ? *section_ : static_cast<const ShownSlice&>(document_.shown());
    const auto& image = shown.image;
    const double x = std::floor(position_.x());
    const double y = std::floor(position_.y());
    if (hasPosition_ && image && x >= 0 && y >= 0 && x < image->width() && y < image->height()) {
        const auto column = static_cast<std::uint32_t>(x);
        const auto row = static_cast<std::uint32_t>(y);
        std::array<int, 3> place{};
        place[static_cast<std::size_t>(shown.across)] = static_cast<int>(shown.slice);
        const auto axes = axesOf(shown.plane());
        const auto put = [&place](const ImageAxis& axis, std::uint32_t at, std::uint32_t count) {
            place[static_cast<std::size_t>(axis.axis)] = static_cast<int>(axis.isReversed ? count - 1 - at : at);
        };
        put(axes[0], column, image->width());
        put(axes[1], row, image->height());
        x_ = place[0];
        y_ = place[1];
        z_ = place[2];
        const std::size_t index = std::size_t{row} * image->width() + column;
        original_ = image->level(index);
        if (shown.valid) {
            hasData_ = shown.valid->test(column, row);
        }
        if (const auto& result = shown.frame.image; result && result->pixelCount() == image->pixelCount()) {
            filtered_ = result->level(index);
        }
        const auto tree = document_.tree();
        if (const auto node = tree ? shown.nodeAt(position_, *tree) : std::nullopt) {
            node_ = *node;
            level_ = tree->level[*node];
            if (const auto area = document_.attribute(AttributeId::area)) {
                area_ = static_cast<qint64>(area->at(*node));
            }
        }
    }
    if (before != all()) {
        emit changed();
    }
}

} // namespace pollard::vm
