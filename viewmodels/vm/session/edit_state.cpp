#include "vm/session/edit_state.hpp"

#include "vm/base/attribute_catalogue.hpp"
#include "vm/base/value_text.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"
#include "vm/filter/criterion_entry.hpp"
#include "vm/objects/object_regions.hpp"

#include "base/error.hpp"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

// Whether two values of a setting give the same results.
template <class T> bool isSame(const T& a, const T& b) { return a == b; }
bool isSame(const CriterionList& a, const CriterionList& b) { return a.isEquivalentTo(b); }
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
    /// The text of the difference; empty for the same results.
    [[nodiscard]] static std::optional<QString> of(const EditState& before, const EditState& after) {
        return firstChange(
            before, after, TextRow{&EditState::read, ofReading}, // all other differences are consequences
            TextRow{&EditState::folderSize, tr("pixel size of the folder")}, TextRow{&EditState::earlier, ofEarlier},
            TextRow{&EditState::filter, ofFilter}, TextRow{&EditState::tree, ofTree},
            TextRow{&EditState::region, ofRegion}, TextRow{&EditState::labels, ofLabels}, // before their classes
            TextRow{&EditState::objects, ofObjects}, TextRow{&EditState::selection, ofSelection},
            TextRow{&EditState::contours, ofContours}, TextRow{&EditState::runs, ofRuns},
            TextRow{&EditState::removedObjects, ofRemovedObjects}, TextRow{std::identity{}, QString()});
    }

private:
    [[nodiscard]] static QString ofReading(const OpenRequest& before, const OpenRequest& after) {
        return firstChange(
                   before, after,
                   TextRow{&OpenRequest::page, [](int, int page) { return tr("page %1").arg(page + 1); }},
                   TextRow{&OpenRequest::channel, tr("channel of the image")},
                   TextRow{&OpenRequest::mapping, tr("range of values")},
                   TextRow{&OpenRequest::level, [](int, int level) { return tr("resolution level %1").arg(level); }},
                   TextRow{&OpenRequest::shrink,
                           [](int, int shrink) {
                               return shrink > 1 ? tr("image shrunk by %1").arg(shrink) : tr("image in full size");
                           }},
                   TextRow{&OpenRequest::region,
                           [](const auto&, const auto& part) {
                               return part ? tr("part of the image") : tr("whole image");
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
                   TextRow{&FilterSettings::forest,
                           [](const Forest&, const Forest& forest) {
                               return forest.trees.empty() ? tr("no forest") : tr("forest");
                           }},
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
                                       return apart ? tr("surroundings of contours") : tr("whole image for contours");
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

    [[nodiscard]] static QString ofWay(FindBy /*before*/, FindBy now) {
        switch (now) {
        case FindBy::threshold:
            break;
        case FindBy::best:
            return tr("best components");
        case FindBy::watershed:
            return tr("regions of a watershed");
        case FindBy::hierarchy:
            return tr("regions of a hierarchy");
        case FindBy::labels:
            return tr("labels of a file");
        }
        return tr("objects of a threshold");
    }

    [[nodiscard]] static QString ofBest(const std::optional<BestRule>& before, const std::optional<BestRule>& after) {
        const auto has = [](const std::optional<BestRule>& rule) { return rule ? rule->marks.size() : 0; };
        return has(after) > has(before)   ? tr("forced or forbidden object")
               : has(after) < has(before) ? tr("object that is neither forced nor forbidden")
               : before && after && before->weights != after->weights       ? tr("weights of best components")
               : before && after && before->strictness != after->strictness ? tr("strictness of best components")
                                                                            : tr("size of best components");
    }

    [[nodiscard]] static QString ofObjects(const ObjectSettings& before, const ObjectSettings& after) {
        return firstChange(
                   before, after,
                   TextRow{&ObjectSettings::of,
                           [](StepImage, StepImage of) {
                               return of == StepImage::original ? tr("objects of the original")
                                                                : tr("objects of the result");
                           }},
                   TextRow{[](const ObjectSettings& objects) { return wayOf(objects.rule); }, ofWay},
                   TextRow{inRule(&ObjectRule::best), ofBest},
                   TextRow{inRule(&ObjectRule::watershed), tr("watershed of objects")},
                   TextRow{inRule(&ObjectRule::hierarchy), tr("cut of the hierarchy")},
                   TextRow{inRule(&ObjectRule::labels), tr("other file of labels")},
                   TextRow{inRule(&ObjectRule::dark), switched(tr("dark objects"), tr("bright objects"))},
                   TextRow{inRule(&ObjectRule::connectivity), tr("connectivity of objects")},
                   TextRow{inRule(&ObjectRule::fillHoles),
                           switched(tr("filled holes of objects"), tr("unfilled holes of objects"))},
                   TextRow{inRule(&ObjectRule::withoutBorder),
                           switched(tr("objects without those at the border"), tr("objects with those at the border"))},
                   TextRow{inRule(&ObjectRule::borderXy),
                           switched(tr("objects at the first and last slice"),
                                    tr("objects without those at the first and last slice"))},
                   TextRow{inRule(&ObjectRule::split), tr("splitting of objects")},
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

    [[nodiscard]] static QString ofLabels(const LabelEdits& /*before*/, const LabelEdits& after) {
        if (after.work.expired()) {
            return tr("objects found again");
        }
        using Kind = LabelEdits::Kind;
        switch (after.kind) {
        case Kind::paint:
            break;
        case Kind::erase:
            return tr("erased pixels of objects");
        case Kind::fill:
            return tr("filled hole of an object");
        case Kind::polygon:
            return tr("object drawn as a polygon");
        case Kind::merge:
            return tr("merged objects");
        case Kind::cut:
            return tr("cut object");
        case Kind::remove:
            return tr("removed objects");
        case Kind::take:
            return tr("component as an object");
        case Kind::renumber:
            return tr("number of an object");
        case Kind::classify:
            return tr("class of objects");
        }
        return tr("painted object");
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
        switch (after.back().effect) {
        case FilterPick::PickEffect::removed:
            break;
        case FilterPick::PickEffect::kept:
            return tr("kept component");
        case FilterPick::PickEffect::only:
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

namespace {

constexpr std::array<std::string_view, 4> kCompares{"off", "split", "blink", "difference"}; // as Mode

std::string text(double value) { return QString::number(value).toStdString(); }

[[noreturn]] void refuse(const std::string& key, const std::string& value) {
    throw Error(ErrorCode::invalidArgument, "view: " + key + ": " + value + ": unknown");
}

} // namespace

CompareViewModel::Mode compareOf(const SessionView& view) {
    const auto* const found = std::ranges::find(kCompares, view.compare);
    if (found == kCompares.end()) {
        refuse("compare", "\"" + view.compare + "\"");
    }
    return static_cast<CompareViewModel::Mode>(found - kCompares.begin());
}

SessionView sessionOf(const DisplayViewModel& display) {
    SessionView view{sessionOf(display.look())};
    view.original = display.image() == DisplayViewModel::Source::original;
    view.compare = kCompares[static_cast<std::size_t>(display.compare().mode())];
    view.split = display.splitPosition();
    view.fitting = display.isFitting();
    if (!view.fitting) {
        view.zoom = display.zoom();
        view.centreX = display.centre().x();
        view.centreY = display.centre().y();
    }
    return view;
}

std::vector<SessionLayer> sessionOf(const CompositeViewModel& composite) {
    std::vector<SessionLayer> layers;
    if (composite.isOn() && composite.isPossible()) {
        for (const auto& [name, look] : composite.looks()) {
            SessionLayer layer{name, look.visible, look.colour.name().toStdString(), {}, {}, {}, look.gamma};
            if (look.map) {
                layer.map = nameOf(*look.map);
            }
            if (look.window) {
                layer.low = look.window->low;
                layer.high = look.window->high;
            }
            layers.push_back(std::move(layer));
        }
    }
    return layers;
}

SessionVolume sessionOf(const OrthogonalViewModel& orthogonal, const RenderingViewModel& rendering) {
    const ViewsLayout& layout = orthogonal.layout();
    return {sessionOf(rendering.look()), layout.across, layout.down, layout.enlarged.toStdString()};
}

ReadStep readStepOf(const OpenRequest& request) {
    const bool isVolume = request.slices == Slices::volume;
    ReadStep step{request.page,    request.channel,
                  request.mapping, request.level,
                  request.region,  request.shrink,
                  request.raw,     request.pixelSize,
                  isVolume,        isVolume ? request.sliceRange : std::nullopt};
    step.axes = request.axes;
    return step;
}

OpenRequest requestOf(const ReadStep& step, const QString& path) {
    OpenRequest request{path,        step.page,   step.channel, step.range, step.level,
                        step.region, step.slices, step.shrink,  step.raw,   step.pixelSize};
    request.slices = step.volume ? Slices::volume : Slices::pages;
    request.axes = step.axes;
    return request;
}

void store(const OpenRequest& request, SessionImage& image) {
    image.read = readStepOf(request);
    image.axes = std::exchange(image.read.axes, {});
    image.projection = request.projection;
}

OpenRequest requestOf(const SessionImage& image, const QString& path) {
    OpenRequest request = requestOf(image.read, path);
    request.axes = image.axes;
    request.projection = image.projection;
    return request;
}

CompositeViewModel::NamedLooks looksOf(const std::vector<SessionLayer>& layers) {
    CompositeViewModel::NamedLooks looks;
    for (const SessionLayer& layer : layers) {
        ChannelLook look;
        look.visible = layer.visible;
        look.colour = QColor(QString::fromStdString(layer.colour));
        if (!look.colour.isValid()) {
            refuse("colour", "\"" + layer.colour + "\"");
        }
        if (!layer.map.empty()) {
            look.map = findColourMap(layer.map);
            if (!look.map) {
                refuse("map", "\"" + layer.map + "\"");
            }
        }
        if (layer.low && layer.high) {
            if (!(*layer.low < *layer.high)) {
                refuse("window", text(*layer.low) + " to " + text(*layer.high));
            }
            look.window = ChannelWindow{*layer.low, *layer.high};
        }
        if (!(layer.gamma >= kSmallestGamma && layer.gamma <= kLargestGamma)) {
            refuse("gamma", text(layer.gamma));
        }
        look.gamma = layer.gamma;
        looks.emplace_back(layer.channel, look);
    }
    return looks;
}

void show(const std::vector<SessionLayer>& layers, CompositeViewModel& composite) {
    if (composite.isPossible()) {
        composite.setLooks(looksOf(layers));
        composite.setOn(!layers.empty());
    }
}

void show(const SessionView& view, DisplayViewModel& display) {
    display.setLook(lookOf(view));
    display.setImage(view.original ? DisplayViewModel::Source::original : DisplayViewModel::Source::result);
    display.compare().setMode(compareOf(view));
    display.setSplitPosition(view.split);
    if (view.fitting) {
        display.fit();
    } else {
        display.setZoom(view.zoom);
        display.setCentre({view.centreX, view.centreY});
    }
}

void show(const SessionVolume& volume, OrthogonalViewModel& orthogonal, RenderingViewModel& rendering) {
    orthogonal.setLayout({volume.across, volume.down, QString::fromStdString(volume.enlarged)});
    rendering.setLook(lookOf(volume));
}

} // namespace pollard::vm
