#include "vm/session/session_state.hpp"

#include "vm/display/display_view_model.hpp"
#include "vm/display/orthogonal_view_model.hpp"
#include "vm/display/rendering_view_model.hpp"

#include "base/error.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pollard::vm {

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
    view.original = display.picture() == DisplayViewModel::Picture::image;
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
    display.setPicture(view.original ? DisplayViewModel::Picture::image : DisplayViewModel::Picture::result);
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
