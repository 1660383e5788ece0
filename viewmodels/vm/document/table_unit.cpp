#include "vm/document/table_unit.hpp"

#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/world_scale.hpp"

#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pollard::vm {

std::optional<PixelSize> TableUnit::size() const { return document_.pixelSizes().present(); }

QString TableUnit::whyNone() const {
    const auto size = this->size();
    if (squareSize() && whyNoScene(squareSize(), Dimension::length).empty()) {
        return {};
    }
    if (document_.isVolume() && whyNoScene(size, Dimension::area).empty()) {
        return tr("The distance between the slices is unknown.");
    }
    if (whyNoScene(size, Dimension::area).empty()) {
        return tr("The pixels of this image are not square.");
    }
    if (size && size->print) {
        return tr("The file states the size of a pixel in print, but not in the scene.");
    }
    return sceneSize(document_.imageInfo().get())
               ? tr("The size of a pixel is given in %1, which is no unit of length.")
                     .arg(QString::fromStdString(size->unit))
               : tr("The size of a pixel is unknown; set it in the Image panel.");
}

std::optional<PixelSize> TableUnit::squareSize() const {
    auto size = this->size();
    if (!document_.isVolume()) {
        return size;
    }
    if (!whyNoObjectUnit(size, true).empty()) {
        return std::nullopt;
    }
    size->x = size->y = std::sqrt(size->x * size->y);
    return size;
}

std::vector<LengthUnit> TableUnit::offered() const { return readableUnits(squareSize(), Dimension::length); }

ObjectUnit TableUnit::scale() const {
    const bool inVolume = document_.isVolume();
    return objectUnitOf(whyNoObjectUnit(size(), inVolume).empty() ? unit_ : LengthUnit::pixel, size(), inVolume,
                        document_.pixelSizes().spacing(), originalMappingOf(document_));
}

double TableUnit::side() const {
    const auto size = this->size();
    return isPhysical() && size ? inUnit(1, unit_, Dimension::length, *size) : 1;
}

bool TableUnit::prefer(bool physical) {
    const bool forgets = std::exchange(chosen_, std::nullopt).has_value();
    return std::exchange(physical_, physical) != physical || forgets;
}

bool TableUnit::choose(LengthUnit unit) { return std::exchange(chosen_, unit) != unit; }

LengthUnit TableUnit::wanted() const {
    const std::vector<LengthUnit> units = offered();
    if (chosen_ && std::ranges::find(units, *chosen_) != units.end()) {
        return *chosen_;
    }
    return physical_ ? pollard::readableUnit(squareSize()) : LengthUnit::pixel;
}

} // namespace pollard::vm
