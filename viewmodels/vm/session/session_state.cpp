#include "vm/session/session_state.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/objects/object_marks.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace pollard::vm {

namespace {

using Compare = CompareViewModel::Mode;

constexpr std::array kWindows{std::pair{"opening", Look::Window::opening},
                              std::pair{"automatic", Look::Window::automatic}, std::pair{"shown", Look::Window::shown},
                              std::pair{"fixed", Look::Window::fixed}};
constexpr std::array kCompares{std::pair{"off", Compare::off}, std::pair{"split", Compare::split},
                               std::pair{"blink", Compare::blink}, std::pair{"difference", Compare::difference}};

/// The partner of a value in a table of pairs; the value must be in it.
template <class Pairs, class Second> auto firstOf(const Pairs& pairs, Second second) {
    return std::ranges::find(pairs, second, [](const auto& pair) { return pair.second; })->first;
}

std::string text(double value) { return QString::number(value).toStdString(); }

[[noreturn]] void refuse(const std::string& key, const std::string& value) {
    throw Error(ErrorCode::invalidArgument, "view: " + key + ": " + value + ": unknown");
}

template <class Pairs> auto named(const Pairs& pairs, const std::string& name, const char* key) {
    const auto found = std::ranges::find(pairs, name, [](const auto& pair) { return std::string(pair.first); });
    if (found == pairs.end()) {
        refuse(key, "\"" + name + "\"");
    }
    return found->second;
}

} // namespace

SessionView sessionOf(const DisplayViewModel& display) {
    SessionView view;
    const Look& look = display.look();
    view.window = firstOf(kWindows, look.window);
    if (look.window == Look::Window::fixed) {
        view.low = look.range.low;
        view.high = look.range.high;
        view.inValues = look.inValues;
        view.maxLevel = look.maxLevel;
    }
    view.curve = nameOf(look.curve);
    view.gamma = look.gamma;
    view.map = nameOf(look.map);
    view.inverted = look.inverted;
    view.original = display.picture() == DisplayViewModel::Picture::image;
    view.compare = firstOf(kCompares, display.compare().mode());
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

ReadStep readStepOf(const OpenRequest& request) {
    const bool isVolume = request.slices == Slices::volume;
    return {request.page,    request.channel,
            request.mapping, request.level,
            request.region,  request.shrink,
            request.raw,     request.pixelSize,
            isVolume,        isVolume ? request.sliceRange : std::nullopt};
}

OpenRequest requestOf(const ReadStep& step, const QString& path) {
    OpenRequest request{path,        step.page,   step.channel, step.range, step.level,
                        step.region, step.slices, step.shrink,  step.raw,   step.pixelSize};
    request.slices = step.volume ? Slices::volume : Slices::pages;
    return request;
}

EditState editStateOf(const SavedSession& session, std::uint64_t pixels) {
    EditState state;
    static_cast<SessionSettings&>(state) = session;
    state.removedObjects = removedOf(session.removed.labels, session.removed.count, pixels);
    state.contours = session.contours;
    return state;
}

CanonicalSelections selectionsOf(std::vector<std::uint32_t> selected, std::vector<SessionSelection> selections) {
    CanonicalSelections canonical{std::move(selected), {}};
    for (SessionSelection& selection : selections) {
        canonical.named.emplace_back(QString::fromStdString(selection.name), std::move(selection.components));
    }
    return canonical;
}

Look lookOf(const SessionView& view) {
    Look look;
    look.window = named(kWindows, view.window, "window");
    const auto curve = findToneCurve(view.curve);
    const auto map = findColourMap(view.map);
    if (!curve) {
        refuse("curve", "\"" + view.curve + "\"");
    }
    if (!map) {
        refuse("map", "\"" + view.map + "\"");
    }
    if (!(view.gamma >= kSmallestGamma && view.gamma <= kLargestGamma)) {
        refuse("gamma", text(view.gamma));
    }
    (void)named(kCompares, view.compare, "compare");
    look.curve = *curve;
    look.gamma = view.gamma;
    look.map = *map;
    look.inverted = view.inverted;
    if (look.window == Look::Window::fixed) {
        if (!(view.low < view.high)) {
            refuse("range", text(view.low) + " to " + text(view.high));
        }
        if (view.maxLevel != 255 && view.maxLevel != 65535) {
            refuse("max_level", text(view.maxLevel));
        }
        look.range = {view.low, view.high};
        look.inValues = view.inValues;
        look.maxLevel = view.maxLevel;
    }
    return look;
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
    display.setPicture(view.original ? DisplayViewModel::Picture::image : DisplayViewModel::Picture::result);
    display.compare().setMode(named(kCompares, view.compare, "compare"));
    display.setSplitPosition(view.split);
    if (view.fitting) {
        display.fit();
    } else {
        display.setZoom(view.zoom);
        display.setCentre({view.centreX, view.centreY});
    }
}

} // namespace pollard::vm
