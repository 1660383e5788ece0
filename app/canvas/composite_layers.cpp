#include "canvas/composite_layers.hpp"

#include "gl/image_tiles.hpp"
#include "theme/colours.hpp"

#include <algorithm>
#include <utility>

namespace pollard::app {

std::vector<QColor> coloursOf(const vm::CompositeViewModel::Layer& layer) {
    return layer.map ? colourStops(*layer.map) : std::vector<QColor>{Qt::black, layer.colour};
}

Tone toneOf(const vm::CompositeViewModel::Layer& layer) {
    Tone tone;
    tone.before = tone.after = layer.window;
    tone.gamma = layer.gamma;
    tone.curve = layer.gamma == 1 ? vm::ToneCurve::linear : vm::ToneCurve::gamma;
    tone.checkerLight = tone.checkerDark = Qt::black; // adds nothing where the channel has no data
    return tone;
}

bool CompositeLayers::take(const std::vector<vm::CompositeViewModel::Layer>& layers) {
    std::vector<std::unique_ptr<ChannelLayer>> before = std::exchange(layers_, {});
    bool differ = before.size() != layers.size();
    for (const vm::CompositeViewModel::Layer& layer : layers) {
        // The tiles of a channel stay while its look or its place in the list changes.
        auto found = std::ranges::find_if(
            before, [&](const auto& drawn) { return drawn && drawn->layer.before == layer.before; });
        layers_.push_back(found == before.end() ? std::make_unique<ChannelLayer>(store_) : std::move(*found));
        ChannelLayer& drawn = *layers_.back();
        differ = differ || drawn.layer.before != layer.before || drawn.layer.after != layer.after;
        drawn.hasColours = drawn.hasColours && drawn.layer.colour == layer.colour && drawn.layer.map == layer.map;
        drawn.layer = layer;
        drawn.before.setImage(layer.before);
        drawn.after.setImage(layer.after);
    }
    for (auto& drawn : before) {
        if (drawn) {
            drawn->before.setImage(nullptr);
            drawn->after.setImage(nullptr);
            retired_.push_back(std::move(drawn));
        }
    }
    return differ;
}

bool CompositeLayers::isMasked() const noexcept {
    return std::ranges::any_of(layers_, [](const auto& drawn) { return drawn->layer.before->coverage() != nullptr; });
}

bool CompositeLayers::select(const ImagePart& part, bool before, bool after, bool sourceAfter,
                             const vm::ImageDetail::Tiles& fine, UploadAllowance& allowance) {
    bool complete = true;
    for (const auto& drawn : layers_) {
        const bool filtered = after && !drawn->after.isEmpty();
        drawn->afterTiles = filtered ? drawn->after.select(part, allowance) : ImageTiles::Selection();
        const bool needsBefore = before || (!filtered && !(sourceAfter && drawn->layer.isSource));
        drawn->beforeTiles = needsBefore ? drawn->before.select(part, allowance) : ImageTiles::Selection();
        const auto& channel = drawn->layer.channel;
        drawn->detailTiles = needsBefore && channel && !fine.empty()
                                 ? withDetail(drawn->beforeTiles, fine, static_cast<int>(*channel), store_, allowance)
                                 : ImageTiles::Selection();
        complete =
            complete && drawn->beforeTiles.isComplete && drawn->afterTiles.isComplete && drawn->detailTiles.isComplete;
    }
    return complete;
}

void CompositeLayers::render(ImagePainter& painter, ImagePainter::View view, const std::optional<Result>& result,
                             bool add) {
    if (!std::exchange(ready_, true)) {
        initializeOpenGLFunctions();
        grey_.load({Qt::black, Qt::white});
    }
    for (const auto& drawn : std::exchange(retired_, {})) {
        drawn->colours.destroy();
    }
    glBlendFunc(GL_ONE, GL_ONE);
    for (const auto& drawn : layers_) {
        if (!std::exchange(drawn->hasColours, true)) {
            drawn->colours.load(coloursOf(drawn->layer));
        }
        view.colourMap = drawn->colours.texture();
        view.tone = toneOf(drawn->layer);
        const std::vector<TextureTile>& coarse = drawn->beforeTiles.tiles;
        const std::vector<TextureTile>& before = drawn->detailTiles.tiles.empty() ? coarse : drawn->detailTiles.tiles;
        const std::vector<TextureTile>* after = !drawn->afterTiles.tiles.empty() ? &drawn->afterTiles.tiles
                                                : result                         ? &coarse
                                                                                 : &before;
        if (result && result->use == ResultUse::channel && drawn->layer.isSource) {
            after = &result->after;
            view.tone.after = result->window;
        }
        if (std::exchange(add, true)) {
            glEnable(GL_BLEND);
        }
        painter.render(before.empty() ? *after : before, *after, view);
    }
    if (result && result->use == ResultUse::luminance && !layers_.empty()) {
        addChange(painter, view, *result);
    } else if (result && result->use == ResultUse::cutOut) {
        cutOut(painter, view, *result);
    }
    glDisable(GL_BLEND);
}

void CompositeLayers::addChange(ImagePainter& painter, ImagePainter::View view, const Result& result) {
    view.colourMap = grey_.texture();
    view.tone = toneOf(layers_.front()->layer);
    view.tone.difference = Tone::Difference::rise;
    view.tone.differenceRange = view.tone.after.high - view.tone.after.low;
    glEnable(GL_BLEND);
    painter.render(result.before, result.after, view);
    glBlendEquationSeparate(GL_FUNC_REVERSE_SUBTRACT, GL_FUNC_ADD); // the image stays opaque
    painter.render(result.after, result.before, view);
    glBlendEquation(GL_FUNC_ADD);
}

void CompositeLayers::cutOut(ImagePainter& painter, ImagePainter::View view, const Result& result) {
    view.colourMap = grey_.texture();
    view.tone.before = {-2, -1}; // white: all pixels stay
    view.tone.after = result.window;
    view.tone.checkerLight = view.tone.checkerDark = Qt::white;
    view.tone.curve = vm::ToneCurve::linear;
    glEnable(GL_BLEND);
    glBlendFunc(GL_DST_COLOR, GL_ZERO);
    painter.render(result.after, result.after, view);
}

void CompositeLayers::destroy() {
    for (const auto* list : {&layers_, &retired_}) {
        for (const auto& drawn : *list) {
            drawn->colours.destroy();
            drawn->hasColours = false;
        }
    }
    retired_.clear();
    grey_.destroy();
    ready_ = false;
}

} // namespace pollard::app
