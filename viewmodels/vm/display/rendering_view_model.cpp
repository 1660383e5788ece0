#include "vm/display/rendering_view_model.hpp"

#include "vm/base/async_result.hpp"
#include "vm/display/display_view_model.hpp"
#include "vm/document/document_view_model.hpp"
#include "vm/document/image_units.hpp"
#include "vm/image/level_histogram.hpp"
#include "vm/image/look.hpp"
#include "vm/image/world_scale.hpp"

#include "filter/analysis_image.hpp"
#include "io/volumes/patient_axes.hpp"
#include "session/session.hpp"

#include <QSettings>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

namespace pollard::vm {
namespace {

/// Copies that are missing in `known`.
struct Task {
    RenderedVolume known; ///< source, tree and kind are set
    RenderingViewModel::Capacity capacity;
    std::shared_ptr<const Mask> valid;
    std::shared_ptr<const Image> result; ///< null: no copy of the result is made
    FilterSpec spec;                     ///< of `result`
    std::optional<ValueMapping> mapping; ///< of the levels of the volume
};

/// A projection along maxima needs the largest levels, and components of a min-tree are dark.
Extremum extremumFor(TreeKind kind) { return kind == TreeKind::max ? Extremum::largest : Extremum::smallest; }

RenderedVolume made(const Task& task, const JobControl& control) {
    RenderedVolume copy = task.known;
    const auto copyOf = [&](const std::shared_ptr<const Image>& image, Extremum extremum) {
        return extremaOf(analysisImage(image, task.valid.get(), copy.kind, control), copy.blocks, extremum, control);
    };
    const Extremum extremum = extremumFor(copy.kind);
    if (!copy.before) {
        copy.blocks =
            blockSidesFor(copy.source->extent(), copy.source->sides(), task.capacity.voxels, task.capacity.longest);
        copy.before = inEvenLevels(copyOf(copy.source, extremum), task.mapping);
    }
    if (!copy.nodes && copy.tree && copy.tree->extent() == copy.source->extent()) {
        const std::span<const std::uint32_t> nodes(copy.tree->pixelNode.data(), copy.source->pixelCount());
        if (copy.blocks.areVoxels()) {
            copy.nodes = {copy.tree, nodes.data()};
        } else {
            const auto numbers = std::make_shared<const Buffer<std::uint32_t>>(
                numbersAtExtrema(*copy.source, nodes, copy.blocks, extremum, control));
            copy.nodes = {numbers, numbers->data()};
        }
    }
    if (task.result) {
        const bool isFiltered = task.spec.output == Output::filtered;
        copy.after = copyOf(task.result, isFiltered ? extremum : Extremum::largest);
        copy.after = isFiltered ? inEvenLevels(copy.after, task.mapping) : copy.after;
        copy.spec = task.spec;
    }
    return copy;
}

QString settingsKeyOf(const QString& kind) {
    return QStringLiteral("rendering/") +
           (kind.isEmpty() ? QStringLiteral("unitless") : kind.toUtf8().toPercentEncoding());
}

} // namespace

RenderingViewModel::RenderingViewModel(DocumentViewModel& document, DisplayViewModel& display, QSettings* settings,
                                       QObject* parent)
    : Analysis(parent), document_(document), display_(display), settings_(settings) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &RenderingViewModel::onImage);
    connect(&document_, &DocumentViewModel::frameReady, this, &RenderingViewModel::refresh);
    connect(&document_.volumeFetch(), &VolumeFetch::made, this, &RenderingViewModel::takeResult);
    connect(&document_.volumeFetch(), &VolumeFetch::failed, this, &RenderingViewModel::fail);
    connect(&document_.pixelSizes(), &DocumentPixelSizes::changed, this, [this] {
        camera_.sides = document_.pixelSizes().voxelSides();
        emit viewChanged();
    });
    onImage();
}

bool RenderingViewModel::isAvailable() const { return document_.isVolume(); }

bool RenderingViewModel::isDarkOpaque() const { return document_.shown().treeSpec.kind == TreeKind::min; }

void RenderingViewModel::onActive() {
    if (isActive()) {
        refresh();
    } else {
        clear();
        emit changed();
    }
}

void RenderingViewModel::onImage() {
    const auto& volume = document_.shown().volume;
    if (volume && volume != seen_.lock()) {
        const bool isLikeBefore = camera_.extent == volume->extent();
        seen_ = volume;
        camera_.extent = volume->extent();
        camera_.sides = document_.pixelSizes().voxelSides();
        if (!isLikeBefore) {
            camera_ = fromTheFront();
        }
        recallLook();
        emit viewChanged();
    }
    if (volume != volume_.source) {
        clear();
        emit changed();
    }
    refresh();
}

bool RenderingViewModel::isOfShown(const RenderedVolume& copy) const {
    const auto& shown = document_.shown();
    return copy.source == shown.volume && copy.tree == shown.tree;
}

void RenderingViewModel::refresh() {
    if (!isActive() || !isAvailable() || !document_.hasResult()) {
        return;
    }
    const auto& shown = document_.shown();
    if (!isOfShown(volume_)) {
        DeferredRelease old;
        old.hold(volume_.nodes);
        old.hold(std::exchange(volume_.tree, shown.tree));
        volume_.nodes = nullptr;
        if (volume_.source != shown.volume || volume_.kind != shown.treeSpec.kind) {
            old.hold(std::exchange(volume_.source, shown.volume));
            old.hold(std::exchange(volume_.before, nullptr));
        }
        volume_.kind = shown.treeSpec.kind;
        old.hold(std::exchange(volume_.after, nullptr));
        old.hold(std::exchange(result_, nullptr));
        emit changed();
    }
    const FilterSpec& spec = shown.frame.spec;
    if ((volume_.after && volume_.spec == spec) || (result_ && resultSpec_ == spec)) {
        wantsResult_ = false;
    } else {
        wantsResult_ = true;
        document_.volumeFetch().request();
    }
    make();
}

void RenderingViewModel::takeResult(const std::shared_ptr<const Image>& result) {
    if (!wantsResult_) {
        return; // requested by another part of the window
    }
    wantsResult_ = false;
    problem_.clear();
    result_ = result;
    resultSpec_ = document_.shown().frame.spec;
    make();
}

void RenderingViewModel::fail(const QString& problem) {
    if (std::exchange(wantsResult_, false)) {
        problem_ = problem;
        emit changed();
    }
}

void RenderingViewModel::make() {
    const bool isMissing = !volume_.before || (!volume_.nodes && volume_.tree) || result_;
    if (making_ != 0 || !isActive() || !volume_.source || !isMissing) {
        return;
    }
    Task task{volume_,
              capacity_,
              document_.shown().volumeValid,
              std::exchange(result_, nullptr),
              resultSpec_,
              originalMappingOf(document_)};
    making_ = worker_.post(
        Lane::fetch, [task = std::move(task)](const std::stop_token& stop) { return made(task, JobControl(stop)); },
        [this](LatestWinsWorker::Generation generation, const JobOutcome& outcome, RenderedVolume& made) {
            if (generation != making_) {
                return;
            }
            making_ = 0;
            if (outcome.ok()) {
                onMade(made);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                problem_ = QString::fromStdString(outcome.message);
                emit changed();
            }
        });
}

void RenderingViewModel::onMade(RenderedVolume& made) {
    if (isOfShown(made) && isOfShown(volume_) && made.kind == volume_.kind) {
        DeferredRelease old;
        old.hold(volume_.after);
        volume_ = std::move(made);
        emit changed();
    }
    make(); // of the document's present state
}

void RenderingViewModel::clear() {
    worker_.stop(Lane::fetch);
    making_ = 0;
    wantsResult_ = false;
    problem_.clear();
    DeferredRelease old;
    for (const auto& image : {volume_.source, volume_.before, volume_.after, std::exchange(result_, nullptr)}) {
        old.hold(image);
    }
    old.hold(volume_.nodes);
    old.hold(volume_.tree);
    volume_ = {};
}

void RenderingViewModel::setCapacity(const Capacity& capacity) {
    if (capacity == std::exchange(capacity_, capacity)) {
        return;
    }
    const Extent extent = isAvailable() ? document_.shown().volume->extent() : Extent{1, 1, 1};
    if (volume_.before &&
        blockSidesFor(extent, volume_.source->sides(), capacity.voxels, capacity.longest) != volume_.blocks) {
        clear();
        emit changed();
        refresh();
    }
}

void RenderingViewModel::setCamera(const VolumeCamera& camera) {
    if (!(camera == std::exchange(camera_, camera))) {
        emit viewChanged();
    }
}

void RenderingViewModel::lookAlong(VolumeAxis axis) {
    setCamera(camera_.along(axis, turnOf(document_.imageInfo().get(), axis)));
}

VolumeCamera RenderingViewModel::fromTheFront() const {
    const auto info = document_.imageInfo();
    const auto map = patientMap(info.get());
    for (const VolumeAxis axis : {VolumeAxis::x, VolumeAxis::y}) {
        if (map && patientPlane(*map, axis) == PatientPlane::coronal) {
            return camera_.slanted(axis, turnOf(info.get(), axis));
        }
    }
    return camera_.slanted();
}

void RenderingViewModel::lookFromTheFront() { setCamera(fromTheFront()); }

template <class T> void RenderingViewModel::setInLook(T RenderingLook::*member, const T& value) {
    RenderingLook look = look_;
    look.*member = value;
    setLook(look);
}

void RenderingViewModel::setRendering(Rendering rendering) { setInLook(&RenderingLook::rendering, rendering); }

void RenderingViewModel::setOpacity(double opacity) {
    setInLook(&RenderingLook::opacity, std::clamp(opacity, 0.0, 1.0));
}

void RenderingViewModel::setShading(bool on) { setInLook(&RenderingLook::hasShading, on); }

QList<RenderingPreset> RenderingViewModel::presets() const {
    const auto info = document_.imageInfo();
    return isAvailable() ? renderingPresets(info.get(), document_.shown().histogram.get(),
                                            evenMappingOf(originalMappingOf(document_), largestLevel()))
                         : QList<RenderingPreset>();
}

void RenderingViewModel::setPreset(const QString& id) {
    RenderingLook look = look_;
    look.preset.clear();
    look.curve = {};
    for (const RenderingPreset& each : presets()) {
        if (each.id == id) {
            look.preset = id;
            look.curve = each.curve;
            look.rendering = Rendering::shaded;
        }
    }
    setLook(look);
}

void RenderingViewModel::setCurve(const OpacityCurve& curve) {
    if (!(curve == look_.curve)) {
        RenderingLook look = look_;
        look.preset = curve.isEmpty() ? QString() : QString::fromLatin1(RenderingLook::kOwnCurve);
        look.curve = curve;
        setLook(look);
    }
}

void RenderingViewModel::setLook(const RenderingLook& look) {
    if (!(look == std::exchange(look_, look))) {
        storeLook();
        emit lookChanged();
        emit viewChanged();
    }
}

void RenderingViewModel::recallLook() {
    const QString kind = QString::fromStdString(unitOf(originalMappingOf(document_)));
    const bool isOther = kind != std::exchange(kind_, kind);
    const bool isOtherFile = document_.path() != std::exchange(path_, document_.path());
    RenderingLook look = look_;
    if (isOther && settings_ != nullptr) {
        look = storedLook(settings_->value(settingsKeyOf(kind)).toString());
    }
    if (look.preset != QLatin1String(RenderingLook::kOwnCurve)) {
        const QList<RenderingPreset> all = presets();
        const auto found = std::ranges::find(all, look.preset, &RenderingPreset::id);
        look.preset = found != all.end() ? found->id : QString();
        look.curve = found != all.end() ? found->curve : OpacityCurve();
    } else if (kind.isEmpty() && isOtherFile) { // its values mean something else
        look.preset.clear();
        look.curve = {};
    }
    if (!(look == std::exchange(look_, look))) {
        emit lookChanged();
    }
}

void RenderingViewModel::storeLook() {
    if (settings_ != nullptr && kind_) {
        settings_->setValue(settingsKeyOf(*kind_), QString::fromStdString(toJson(sessionOf(look_))));
    }
}

std::uint16_t RenderingViewModel::largestLevel() const {
    const auto& volume = document_.shown().volume;
    return volume ? maxLevelOf(volume->type()) : std::uint16_t{0};
}

std::optional<LevelWindow> RenderingViewModel::curveLevels() const {
    if (look_.curve.isEmpty() || look_.rendering != Rendering::shaded) {
        return std::nullopt;
    }
    const auto mapping = evenMappingOf(originalMappingOf(document_), largestLevel());
    return LevelWindow{pollard::levelOf(mapping, look_.curve.low()), pollard::levelOf(mapping, look_.curve.high())};
}

std::optional<LevelWindow> RenderingViewModel::curveWindow() const {
    std::optional<LevelWindow> window = curveLevels();
    if (window) {
        window->low -= (window->high - window->low) / 2;
    }
    return window;
}

std::optional<std::size_t> RenderingViewModel::blockAt(const QPointF& at, const QSizeF& view) const {
    const bool isLeft = display_.isSplitEnabled() && at.x() < display_.splitPosition() * view.width();
    const bool isAfter = volume_.after && display_.wantsResult() && !isLeft;
    const Image* const image = isAfter ? volume_.after.get() : volume_.before.get();
    const VolumeCamera::Ray ray = camera_.rayAt(at, view);
    const VolumeCamera::RayInterval inside = camera_.insideOf(ray);
    if (image == nullptr || camera_.extent != volume_.source->extent() || inside.first >= inside.last) {
        return std::nullopt;
    }
    const LevelWindow window = isAfter ? display_.resultWindow() : display_.window();
    const bool hasCurve = curveLevels() && (!isAfter || curveFitsResult());
    const auto mapping = evenMappingOf(originalMappingOf(document_), largestLevel());
    const auto opacityOf = [&](double level) {
        if (hasCurve) {
            return look_.curve.at(pollard::valueOf(mapping, level));
        }
        const double place = std::clamp((level - window.low) / std::max(window.high - window.low, 1e-3), 0.0, 1.0);
        const double seen = applyCurve(display_.toneCurve(), display_.gamma(), place);
        return look_.opacity * (isDarkOpaque() ? 1 - seen : seen);
    };
    const Extent blocks = image->extent();
    const auto index = [](float place, std::uint32_t side, std::uint32_t count) {
        return std::min(static_cast<std::uint32_t>(std::max(place, 0.0F)) / side, count - 1);
    };
    const auto step = static_cast<float>(camera_.step(volume_.blocks));
    std::optional<std::size_t> best;
    double most = 0;
    double light = 1; ///< that passes the voxels before
    for (float t = inside.first + step / 2; t < inside.last && light > 0.5; t += step) {
        const QVector3D place = ray.origin + t * ray.direction;
        const std::size_t block = (std::size_t{index(place.z(), volume_.blocks.z, blocks.slices)} * blocks.height +
                                   index(place.y(), volume_.blocks.y, blocks.height)) *
                                      blocks.width +
                                  index(place.x(), volume_.blocks.x, blocks.width);
        const double level = image->level(block);
        double weight = look_.rendering == Rendering::minimum ? maxLevelOf(image->type()) - level : level;
        if (look_.rendering == Rendering::shaded) {
            const double opacity = opacityOf(level);
            weight = light * opacity;
            light *= 1 - opacity;
        }
        if (!best || weight > most) {
            best = block;
            most = weight;
        }
    }
    return best;
}

std::optional<Voxel> RenderingViewModel::voxelAt(const QPointF& at, const QSizeF& view) const {
    const auto block = blockAt(at, view);
    if (!block) {
        return std::nullopt;
    }
    const Voxel place = pollard::voxelAt(static_cast<std::uint32_t>(*block), volume_.before->extent());
    return Voxel{place.x * volume_.blocks.x, place.y * volume_.blocks.y, place.z * volume_.blocks.z};
}

std::optional<std::uint32_t> RenderingViewModel::nodeAt(const QPointF& at, const QSizeF& view) const {
    const auto block = volume_.nodes && isOfShown(volume_) ? blockAt(at, view) : std::nullopt;
    return block ? std::optional(volume_.nodes.get()[*block]) : std::nullopt;
}

} // namespace pollard::vm
