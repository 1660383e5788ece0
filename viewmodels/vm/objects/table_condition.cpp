#include "vm/objects/table_condition.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/world_scale.hpp"
#include "vm/objects/condition_text.hpp"
#include "vm/objects/object_table_model.hpp"

#include "base/error.hpp"
#include "io/metadata/scene_units.hpp"

#include <algorithm>
#include <cmath>

namespace pollard::vm {

std::optional<PixelSize> TableUnit::size() const { return document_.pixelSizes().present(); }

QString TableUnit::whyNone() const {
    const auto size = this->size();
    if (squareSize() && whyNoScene(squareSize(), Dimension::length).empty()) {
        return {};
    }
    if (document_.isVolume() && whyNoScene(size, Dimension::area).empty()) {
        return ObjectTableModel::tr("The distance between the slices is unknown.");
    }
    if (whyNoScene(size, Dimension::area).empty()) {
        return ObjectTableModel::tr("The pixels of this picture are not square.");
    }
    if (size && size->print) {
        return ObjectTableModel::tr("The file states the size of a pixel in print, but not in the scene.");
    }
    return sceneSize(document_.imageInfo().get())
               ? ObjectTableModel::tr("The size of a pixel is given in %1, which is no unit of length.")
                     .arg(QString::fromStdString(size->unit))
               : ObjectTableModel::tr("The size of a pixel is unknown; set it in the Image panel.");
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
    const bool other = physical != physical_ || chosen_;
    physical_ = physical;
    chosen_.reset();
    return other;
}

bool TableUnit::choose(LengthUnit unit) {
    const bool other = unit != chosen_;
    chosen_ = unit;
    return other;
}

LengthUnit TableUnit::wanted() const {
    const std::vector<LengthUnit> units = offered();
    if (chosen_ && std::ranges::find(units, *chosen_) != units.end()) {
        return *chosen_;
    }
    return physical_ ? pollard::readableUnit(squareSize()) : LengthUnit::pixel;
}

bool TableCondition::isTextInForce() const { return TypedCondition(text_).stored() == valid_; }

bool TableCondition::set(const QString& text) {
    text_ = text;
    notice_.clear();
    try {
        const TypedCondition typed(text);
        (void)parsedCondition(typed.stored());
        valid_ = typed.stored();
        resolve();
        if (typed.hasGroups()) {
            notice_ = ObjectTableModel::tr("This is read as %1.").arg(shownCondition(valid_));
        }
        return true;
    } catch (const Error&) {
        problem_ = conditionProblem(text, unit_.unit(), unit_.size(), unit_.whyNone(), columns_).text;
        return false;
    }
}

void TableCondition::refresh() {
    if ((!isTextInForce() && set(text_)) || !isSet()) { // the text may be a condition on the other kind of objects
        return;
    }
    const QString problem = problem_;
    resolve();
    if (!isTextInForce()) {
        problem_ = problem;
    }
}

void TableCondition::resolve() {
    const std::string text = valid_.toStdString();
    const auto size = unit_.size();
    condition_ = {};
    side_ = 1;
    problem_.clear();
    try {
        const ObjectCondition condition = convertedCondition(valid_, unit_.unit(), size);
        condition.requireColumns(columns_);
        if (!unit_.isPhysical() || describesVolumes()) {
            condition_ = condition;
            return;
        }
        try {
            condition_ = ObjectCondition::parse(ObjectCondition::withUnits(text, unit_.unit())).inPixels(size);
        } catch (const Error&) { // values of mixed dimensions, which only make sense in this unit
            condition_ = condition;
            side_ = unit_.side();
        }
    } catch (const Error&) {
        problem_ = conditionProblem(shownCondition(valid_), unit_.unit(), size, unit_.whyNone(), columns_).text;
    }
}

TableCondition::Stated TableCondition::stated() const {
    if (!unit_.isPhysical()) {
        return {valid_};
    }
    const QString text = describesVolumes() ? QString() : withUnits(); // all numbers on volumes have one unit
    return isSet() && text.isEmpty() ? Stated{valid_, unit_.unit()} : Stated{text};
}

QString TableCondition::withUnits() const {
    if (describesVolumes()) {
        return valid_;
    }
    try {
        return QString::fromStdString(ObjectCondition::withUnits(valid_.toStdString(), unit_.unit()));
    } catch (const Error&) {
        return unit_.isPhysical() ? QString() : valid_;
    }
}

void TableCondition::keepMeaning() {
    if (!isSet()) {
        return;
    }
    const auto tellUnit = [this] {
        notice_ = ObjectTableModel::tr("The numbers of the condition are in %1 since the unit was switched.")
                      .arg(unitText(unit_.wanted(), Dimension::length));
    };
    if (describesVolumes()) {
        tellUnit();
        return;
    }
    try {
        const QString text = QString::fromStdString(ObjectCondition::withUnits(valid_.toStdString(), unit_.unit()));
        if (isTextInForce()) {
            text_ = shownCondition(text);
        }
        valid_ = text;
        notice_.clear();
    } catch (const Error&) {
        tellUnit();
    }
}

} // namespace pollard::vm
