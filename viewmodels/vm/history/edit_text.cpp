// Texts for edits.
#include "vm/history/edit_state.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/filter/filter_texts.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <numeric>

namespace pollard::vm {

namespace {

class EditTexts {
    Q_DECLARE_TR_FUNCTIONS(EditHistory)

public:
    [[nodiscard]] static QString ofReading(const OpenRequest& before, const OpenRequest& after) {
        if (before.page != after.page) {
            return tr("page %1").arg(after.page + 1);
        }
        if (before.channel != after.channel) {
            return tr("channel of the picture");
        }
        if (before.mapping != after.mapping) {
            return tr("range of values");
        }
        if (before.level != after.level) {
            return tr("resolution level %1").arg(after.level);
        }
        if (before.shrink != after.shrink) {
            return after.shrink > 1 ? tr("picture shrunk by %1").arg(after.shrink) : tr("picture in full size");
        }
        if (before.region != after.region) {
            return after.region ? tr("part of the picture") : tr("whole picture");
        }
        return before.raw != after.raw ? tr("layout of raw data") : tr("pixel size");
    }

    [[nodiscard]] static QString ofFolderSize() { return tr("pixel size of the folder"); }

    [[nodiscard]] static QString ofFilter(const FilterViewModel::State& before, const FilterViewModel::State& after) {
        if (before.enabled != after.enabled) {
            return after.enabled ? tr("filter on") : tr("filter off");
        }
        if (QString text = ofCriteria(before.criteria, after.criteria); !text.isEmpty()) {
            return text;
        }
        if (before.picks != after.picks) {
            return ofPicks(before.picks, after.picks);
        }
        if (before.prominentOnly != after.prominentOnly || before.prominent != after.prominent) {
            return after.prominentOnly ? tr("most prominent %1 by %2")
                                             .arg(QLocale().toString(static_cast<qulonglong>(after.prominent.count)),
                                                  prominenceTitle(after.prominent.measure))
                                       : tr("any prominence");
        }
        if (before.rule != after.rule) {
            return tr("rule %1").arg(ruleTitle(after.rule));
        }
        if (before.output != after.output) {
            return tr("output %1").arg(outputTitle(after.output));
        }
        return {};
    }

    [[nodiscard]] static QString ofEarlier(const FilterStages& before, const FilterStages& after) {
        return after.size() > before.size()   ? tr("new earlier filter")
               : after.size() < before.size() ? tr("removed earlier filter")
                                              : tr("changed earlier filter");
    }

    [[nodiscard]] static QString ofTree(const TreeChoice& before, const TreeChoice& after) {
        if (before.kind != after.kind) {
            return after.kind == TreeKind::max ? tr("max-tree") : tr("min-tree");
        }
        return tr("%1-connectivity").arg(static_cast<int>(after.connectivity));
    }

    [[nodiscard]] static QString ofRegion(const RegionViewModel::State& before, const RegionViewModel::State& after) {
        if (after.shapes.size() > before.shapes.size()) {
            return tr("new shape of the region");
        }
        if (after.shapes.size() < before.shapes.size()) {
            return after.shapes.empty() ? tr("cleared region") : tr("removed shape of the region");
        }
        return before.inverted != after.inverted ? tr("inverted region") : tr("changed region");
    }

    [[nodiscard]] static QString ofContours(const ContourChoice& before, const ContourChoice& after) {
        if (before.spec.law != after.spec.law) {
            return tr("statistics of contours");
        }
        if (before.engine.apart != after.engine.apart) {
            return after.engine.apart ? tr("surroundings of contours") : tr("whole picture for contours");
        }
        if (before.engine != after.engine || before.spec.moves != after.spec.moves) {
            return tr("moves of contours");
        }
        if (before.spec.maxStep != after.spec.maxStep) {
            return tr("step of contours");
        }
        return before.spec.minLength != after.spec.minLength ? tr("length of contours' edges")
                                                             : tr("limits of contours");
    }

    [[nodiscard]] static QString ofSelection(const SelectedNodes& after) {
        const std::size_t count = after.nodes ? after.nodes->size() : 0;
        return count == 0   ? tr("empty selection")
               : count == 1 ? tr("selection of a component")
                            : tr("selection of %1 components").arg(QLocale().toString(static_cast<qulonglong>(count)));
    }

    [[nodiscard]] static QString ofClasses(const std::vector<ObjectClass>& before,
                                           const std::vector<ObjectClass>& after) {
        return after.size() > before.size()   ? tr("added class of objects")
               : after.size() < before.size() ? tr("removed class of objects")
                                              : tr("classes of objects");
    }

    [[nodiscard]] static QString ofObjects(const ObjectSettings& before, const ObjectSettings& after) {
        if (before.of != after.of) {
            return after.of == StepPicture::original ? tr("objects of the original") : tr("objects of the result");
        }
        if (before.rule.dark != after.rule.dark) {
            return after.rule.dark ? tr("dark objects") : tr("bright objects");
        }
        if (before.rule.connectivity != after.rule.connectivity) {
            return tr("connectivity of objects");
        }
        if (before.rule.fillHoles != after.rule.fillHoles) {
            return after.rule.fillHoles ? tr("filled holes of objects") : tr("unfilled holes of objects");
        }
        if (before.rule.withoutBorder != after.rule.withoutBorder) {
            return after.rule.withoutBorder ? tr("objects without those at the border")
                                            : tr("objects with those at the border");
        }
        if (before.channels != after.channels) {
            return after.channels.pairs != before.channels.pairs || after.channels.ring != before.channels.ring
                       ? tr("measurements of objects")
                   : after.channels.all              ? tr("objects measured in all channels")
                   : after.channels.channels.empty() ? tr("objects measured in this channel")
                                                     : tr("objects measured in chosen channels");
        }
        if (before.classes != after.classes) {
            return ofClasses(before.classes, after.classes);
        }
        if (after.rule.method) {
            return tr("threshold of objects");
        }
        const LevelRange levels = after.rule.levels;
        return levels.high == 0xffff ? tr("objects from level %1").arg(levels.low)
               : levels.low == 0     ? tr("objects up to level %1").arg(levels.high)
                                     : tr("objects of levels %1 to %2").arg(levels.low).arg(levels.high);
    }

    [[nodiscard]] static QString ofRemovedObjects(const RemovedObjects& before, const RemovedObjects& after) {
        const auto countOf = [](const RemovedObjects& flags) {
            return flags ? std::accumulate(flags->begin(), flags->end(), 0) : 0;
        };
        const int more = countOf(after) - countOf(before);
        return more < 0    ? tr("return of objects")
               : more == 1 ? tr("deletion of an object")
                           : tr("deletion of %1 objects").arg(QLocale().toString(more));
    }

private:
    [[nodiscard]] static QString ofBounds(AttributeId attribute, const ChosenBounds& bounds) {
        const QString name = fromUtf8(attributeInfo(attribute).name);
        if (bounds.minimum && bounds.maximum) {
            return tr("%1 from %2 to %3").arg(name, shortValue(*bounds.minimum), shortValue(*bounds.maximum));
        }
        return bounds.minimum   ? tr("%1 at least %2").arg(name, shortValue(*bounds.minimum))
               : bounds.maximum ? tr("%1 at most %2").arg(name, shortValue(*bounds.maximum))
                                : tr("any %1").arg(name);
    }

    [[nodiscard]] static QString ofEntry(const CriterionEntry& before, const CriterionEntry& after) {
        if (before.enabled != after.enabled) {
            return after.enabled ? tr("criterion on") : tr("criterion off");
        }
        return ofBounds(after.attribute, after.bounds());
    }

    [[nodiscard]] static QString ofCriteria(const CriteriaModel::State& before, const CriteriaModel::State& after) {
        if (after.entries.size() != before.entries.size()) {
            return after.entries.size() > before.entries.size() ? tr("new criterion") : tr("removed criterion");
        }
        const auto [old, fresh] =
            std::mismatch(before.entries.begin(), before.entries.end(), after.entries.begin(), after.entries.end());
        if (fresh != after.entries.end()) {
            return ofEntry(*old, *fresh);
        }
        if (before.match != after.match) {
            return after.match == Match::all ? tr("all criteria") : tr("any criterion");
        }
        return {};
    }

    [[nodiscard]] static QString ofPicks(const std::vector<PicksModel::Pick>& before,
                                         const std::vector<PicksModel::Pick>& after) {
        if (after.empty()) {
            return tr("cleared picks");
        }
        if (after.size() < before.size()) {
            return tr("undone pick");
        }
        switch (after.back().fate) {
        case PicksModel::Fate::removed:
            break;
        case PicksModel::Fate::kept:
            return tr("kept component");
        case PicksModel::Fate::only:
            return tr("only one component");
        }
        return after.size() > before.size() + 1 ? tr("removed components") : tr("removed component");
    }
};

} // namespace

QString editText(const EditState& before, const EditState& after) {
    if (before.read != after.read) { // all other differences are consequences
        return EditTexts::ofReading(before.read, after.read);
    }
    if (before.folderSize != after.folderSize) {
        return EditTexts::ofFolderSize();
    }
    if (before.earlier != after.earlier) {
        return EditTexts::ofEarlier(before.earlier, after.earlier);
    }
    if (QString text = EditTexts::ofFilter(before.filter, after.filter); !text.isEmpty()) {
        return text;
    }
    if (before.tree != after.tree) {
        return EditTexts::ofTree(before.tree, after.tree);
    }
    if (before.region.shapes != after.region.shapes || before.region.inverted != after.region.inverted) {
        return EditTexts::ofRegion(before.region, after.region);
    }
    if (before.objects != after.objects) {
        return EditTexts::ofObjects(before.objects, after.objects);
    }
    if (before.selection != after.selection) {
        return EditTexts::ofSelection(after.selection);
    }
    if (before.contours != after.contours) {
        return EditTexts::ofContours(before.contours, after.contours);
    }
    return isSameEdit(before, after) ? QString()
                                     : EditTexts::ofRemovedObjects(before.removedObjects, after.removedObjects);
}

} // namespace pollard::vm
