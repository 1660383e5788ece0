#include "vm/session/edit_state.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/filter/filter_texts.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

// Whether two values of a setting give the same results.
template <class T> bool isSame(const T& a, const T& b) { return a == b; }
bool isSame(const CriterionList& a, const CriterionList& b) { return a.demandsAs(b); }
bool isSame(const FilterSettings& a, FilterSettings b) {
    b.criteria.current = a.criteria.current;
    return a == b;
}
bool isSame(const RemovedObjects& a, const RemovedObjects& b) { return a == b || (a && b && *a == *b); }
/// The filters of other channels. A channel that is displayed for the first time continues with the present filter.
bool isSame(const EditState& a, const EditState& b) {
    const auto has = [](const EditState& state, const auto& channel) {
        const auto own = state.channels.find(channel.first);
        return isSame(own != state.channels.end() ? own->second : state.filter, channel.second);
    };
    return std::ranges::all_of(b.channels, [&](const auto& channel) { return has(a, channel); }) &&
           std::ranges::all_of(a.channels, [&](const auto& channel) { return has(b, channel); });
}

/// A setting, as a member or a function of its record, and the text of its change.
template <class Access, class Text> struct TextRow {
    Access access;
    Text text; ///< or a function of the values before and after
};
template <class Access, class Text> TextRow(Access, Text) -> TextRow<Access, Text>;

/// The text of the first setting that differs; empty if none does.
template <class Record, class... Rows>
std::optional<QString> firstChange(const Record& before, const Record& after, const Rows&... rows) {
    std::optional<QString> text;
    const auto differs = [&](const auto& row) {
        const auto& old = std::invoke(row.access, before);
        const auto& now = std::invoke(row.access, after);
        if (isSame(old, now)) {
            return false;
        }
        if constexpr (std::is_invocable_v<decltype(row.text), decltype(old), decltype(now)>) {
            text = row.text(old, now);
        } else {
            text = row.text;
        }
        return true;
    };
    static_cast<void>((differs(rows) || ...));
    return text;
}

/// The text of a switch.
auto switched(const QString& on, const QString& off) {
    return [on, off](bool, bool now) { return now ? on : off; };
}

/// A member of the rule of objects.
template <class Owner, class Member> auto inRule(Member Owner::*member) {
    return [member](const ObjectSettings& objects) -> const Member& { return objects.rule.*member; };
}

class EditTexts {
    Q_DECLARE_TR_FUNCTIONS(EditHistory)

public:
    /// Empty for the same results.
    [[nodiscard]] static std::optional<QString> of(const EditState& before, const EditState& after) {
        return firstChange(before, after,
                           TextRow{&EditState::read, ofReading}, // all other differences are consequences
                           TextRow{&EditState::folderSize, tr("pixel size of the folder")},
                           TextRow{&EditState::earlier, ofEarlier}, TextRow{&EditState::filter, ofFilter},
                           TextRow{&EditState::tree, ofTree}, TextRow{&EditState::region, ofRegion},
                           TextRow{&EditState::objects, ofObjects}, TextRow{&EditState::selection, ofSelection},
                           TextRow{&EditState::contours, ofContours}, TextRow{&EditState::runs, ofRuns},
                           TextRow{&EditState::removedObjects, ofRemovedObjects}, TextRow{std::identity{}, QString()});
    }

private:
    [[nodiscard]] static QString ofReading(const OpenRequest& before, const OpenRequest& after) {
        return firstChange(
                   before, after,
                   TextRow{&OpenRequest::page, [](int, int page) { return tr("page %1").arg(page + 1); }},
                   TextRow{&OpenRequest::channel, tr("channel of the picture")},
                   TextRow{&OpenRequest::mapping, tr("range of values")},
                   TextRow{&OpenRequest::level, [](int, int level) { return tr("resolution level %1").arg(level); }},
                   TextRow{&OpenRequest::shrink,
                           [](int, int shrink) {
                               return shrink > 1 ? tr("picture shrunk by %1").arg(shrink) : tr("picture in full size");
                           }},
                   TextRow{&OpenRequest::region,
                           [](const auto&, const auto& part) {
                               return part ? tr("part of the picture") : tr("whole picture");
                           }},
                   TextRow{&OpenRequest::raw, tr("layout of raw data")})
            .value_or(tr("pixel size"));
    }

    [[nodiscard]] static QString ofFilter(const FilterSettings& before, const FilterSettings& after) {
        const auto prominence = [](const FilterSettings& filter) {
            return std::pair(filter.prominentOnly, filter.prominent);
        };
        const auto ofProminence = [](const auto&, const std::pair<bool, Prominent>& now) {
            return now.first ? tr("most prominent %1 by %2")
                                   .arg(countText(now.second.count), prominenceTitle(now.second.measure))
                             : tr("any prominence");
        };
        return firstChange(
                   before, after, TextRow{&FilterSettings::enabled, switched(tr("filter on"), tr("filter off"))},
                   TextRow{&FilterSettings::criteria, ofCriteria}, TextRow{&FilterSettings::picks, ofPicks},
                   TextRow{prominence, ofProminence},
                   TextRow{&FilterSettings::rule, [](Rule, Rule rule) { return tr("rule %1").arg(ruleTitle(rule)); }},
                   TextRow{&FilterSettings::output,
                           [](Output, Output output) { return tr("output %1").arg(outputTitle(output)); }})
            .value_or(QString());
    }

    [[nodiscard]] static QString ofEarlier(const FilterStages& before, const FilterStages& after) {
        return after.size() > before.size()   ? tr("new earlier filter")
               : after.size() < before.size() ? tr("removed earlier filter")
                                              : tr("changed earlier filter");
    }

    [[nodiscard]] static QString ofTree(const TreeStep& before, const TreeStep& after) {
        if (before.kind != after.kind) {
            return after.kind == TreeKind::max ? tr("max-tree") : tr("min-tree");
        }
        return tr("%1-connectivity").arg(static_cast<int>(after.connectivity));
    }

    [[nodiscard]] static QString ofRegion(const RegionStep& before, const RegionStep& after) {
        if (after.shapes.size() > before.shapes.size()) {
            return tr("new shape of the region");
        }
        if (after.shapes.size() < before.shapes.size()) {
            return after.shapes.empty() ? tr("cleared region") : tr("removed shape of the region");
        }
        return before.inverted != after.inverted ? tr("inverted region") : tr("changed region");
    }

    [[nodiscard]] static QString ofContours(const ContourChoice& before, const ContourChoice& after) {
        const auto moves = [](const ContourChoice& choice) { return std::pair(choice.engine, choice.spec.moves); };
        const auto inSpec = [](auto member) {
            return [member](const ContourChoice& choice) { return choice.spec.*member; };
        };
        return firstChange(before, after, TextRow{inSpec(&SnakeSpec::law), tr("statistics of contours")},
                           TextRow{[](const ContourChoice& choice) { return choice.engine.apart; },
                                   [](const auto&, const auto& apart) {
                                       return apart ? tr("surroundings of contours") : tr("whole picture for contours");
                                   }},
                           TextRow{moves, tr("moves of contours")},
                           TextRow{inSpec(&SnakeSpec::maxStep), tr("step of contours")},
                           TextRow{inSpec(&SnakeSpec::minLength), tr("length of contours' edges")},
                           TextRow{inSpec(&SnakeSpec::lengthPrice), tr("price on the length of contours")})
            .value_or(tr("limits of contours"));
    }

    [[nodiscard]] static QString ofRuns(const ContourRunList& before, const ContourRunList& after) {
        return after.made == before.made      ? tr("deleted contours")
               : after.made > before.made + 1 ? tr("followed contours")
                                              : tr("new contours");
    }

    [[nodiscard]] static QString ofSelection(const SelectedNodes& /*before*/, const SelectedNodes& after) {
        const std::size_t count = after.nodes ? after.nodes->size() : 0;
        return count == 0   ? tr("empty selection")
               : count == 1 ? tr("selection of a component")
                            : tr("selection of %1 components").arg(countText(count));
    }

    [[nodiscard]] static QString ofClasses(const std::vector<ObjectClass>& before,
                                           const std::vector<ObjectClass>& after) {
        return after.size() > before.size()   ? tr("added class of objects")
               : after.size() < before.size() ? tr("removed class of objects")
                                              : tr("classes of objects");
    }

    [[nodiscard]] static QString ofMeasures(const MeasureChoice& before, const MeasureChoice& after) {
        const bool isOther =
            after.pairs != before.pairs || after.ring != before.ring || after.counted != before.counted;
        return isOther                  ? tr("measurements of objects")
               : after.all              ? tr("objects measured in all channels")
               : after.channels.empty() ? tr("objects measured in this channel")
                                        : tr("objects measured in chosen channels");
    }

    [[nodiscard]] static QString ofLevels(const LevelRange& /*before*/, const LevelRange& after) {
        return after.high == 0xffff ? tr("objects from level %1").arg(after.low)
               : after.low == 0     ? tr("objects up to level %1").arg(after.high)
                                    : tr("objects of levels %1 to %2").arg(after.low).arg(after.high);
    }

    [[nodiscard]] static QString ofValues(const ValueBounds& after) {
        const QString low = greyNumber(after.low);
        const QString high = withUnit(greyNumber(after.high), after.unit);
        return std::isinf(after.high)  ? tr("objects from value %1").arg(withUnit(low, after.unit))
               : std::isinf(after.low) ? tr("objects up to value %1").arg(high)
                                       : tr("objects of values %1 to %2").arg(low, high);
    }

    [[nodiscard]] static QString ofObjects(const ObjectSettings& before, const ObjectSettings& after) {
        return firstChange(
                   before, after,
                   TextRow{&ObjectSettings::of,
                           [](StepImage, StepImage of) {
                               return of == StepImage::original ? tr("objects of the original")
                                                                : tr("objects of the result");
                           }},
                   TextRow{inRule(&ObjectRule::dark), switched(tr("dark objects"), tr("bright objects"))},
                   TextRow{inRule(&ObjectRule::connectivity), tr("connectivity of objects")},
                   TextRow{inRule(&ObjectRule::fillHoles),
                           switched(tr("filled holes of objects"), tr("unfilled holes of objects"))},
                   TextRow{inRule(&ObjectRule::withoutBorder),
                           switched(tr("objects without those at the border"), tr("objects with those at the border"))},
                   TextRow{inRule(&ObjectRule::borderXy),
                           switched(tr("objects at the first and last slice"),
                                    tr("objects without those at the first and last slice"))},
                   TextRow{inRule(&ObjectRule::above), tr("local background of objects")},
                   TextRow{&ObjectSettings::channels, ofMeasures}, TextRow{&ObjectSettings::classes, ofClasses},
                   TextRow{[](const ObjectSettings& objects) {
                               return std::tuple(objects.rule.method, objects.rule.levels, objects.rule.values);
                           },
                           [](const auto& old, const auto& now) {
                               const auto& [method, levels, values] = now;
                               return method   ? tr("threshold of objects")
                                      : values ? ofValues(*values)
                                               : ofLevels(std::get<1>(old), levels);
                           }})
            .value_or(QString());
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

    [[nodiscard]] static QString ofCriteria(const CriterionList& before, const CriterionList& after) {
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

    [[nodiscard]] static QString ofPicks(const std::vector<FilterPick>& before, const std::vector<FilterPick>& after) {
        if (after.empty()) {
            return tr("cleared picks");
        }
        if (after.size() < before.size()) {
            return tr("undone pick");
        }
        switch (after.back().fate) {
        case FilterPick::Fate::removed:
            break;
        case FilterPick::Fate::kept:
            return tr("kept component");
        case FilterPick::Fate::only:
            return tr("only one component");
        }
        return after.size() > before.size() + 1 ? tr("removed components") : tr("removed component");
    }
};

} // namespace

bool SelectedNodes::operator==(const SelectedNodes& other) const noexcept {
    if (nodes == nullptr || other.nodes == nullptr) {
        return nodes == other.nodes;
    }
    return nodes == other.nodes || *nodes == *other.nodes;
}

bool isSameEdit(const EditState& a, const EditState& b) { return !EditTexts::of(a, b); }

QString editText(const EditState& before, const EditState& after) {
    return EditTexts::of(before, after).value_or(QString());
}

} // namespace pollard::vm
