#include "vm/contour/contour_settings.hpp"

#include "vm/document/document_view_model.hpp"

#include "base/error.hpp"
#include "image/mask.hpp"

#include <QFileInfo>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace pollard::vm {
namespace {

/// Numbers from low to high; none if low is larger.
struct Range {
    double low = -std::numeric_limits<double>::infinity();
    double high = std::numeric_limits<double>::infinity();

    /// Keeps numbers for which slope * x + offset is from @p least to @p most.
    void restrict(double slope, double offset, double least, double most) {
        if (slope == 0) {
            if (offset < least || offset > most) {
                high = -std::numeric_limits<double>::infinity();
            }
            return;
        }
        const double a = (least - offset) / slope;
        const double b = (most - offset) / slope;
        low = std::max(low, std::min(a, b));
        high = std::min(high, std::max(a, b));
    }
};

QPointF centreOfPixel(const QPointF& image) { return {std::floor(image.x()) + 0.5, std::floor(image.y()) + 0.5}; }

std::string sizeText(std::uint32_t width, std::uint32_t height) {
    return std::to_string(width) + " x " + std::to_string(height) + " px";
}

} // namespace

void paintStroke(Mask& mask, const QPointF& from, const QPointF& to, double radius, bool value) {
    const double dx = to.x() - from.x();
    const double dy = to.y() - from.y();
    const double length = std::hypot(dx, dy);
    const double top = std::min(from.y(), to.y()) - radius;
    const double bottom = std::max(from.y(), to.y()) + radius;
    const auto rowOf = [&](double y) { return std::clamp(y, 0.0, static_cast<double>(mask.height())); };
    const auto columnOf = [&](double x) {
        return static_cast<std::uint32_t>(std::clamp(x, 0.0, static_cast<double>(mask.width())));
    };
    const auto end = static_cast<std::uint32_t>(rowOf(std::floor(bottom - 0.5) + 1));
    for (auto row = static_cast<std::uint32_t>(rowOf(std::ceil(top - 0.5))); row < end; ++row) {
        const double y = row + 0.5;
        double low = std::numeric_limits<double>::infinity();
        double high = -low;
        for (const QPointF& middle : {from, to}) {
            if (const double away = std::abs(y - middle.y()); away <= radius) {
                const double half = std::sqrt(radius * radius - away * away);
                low = std::min(low, middle.x() - half);
                high = std::max(high, middle.x() + half);
            }
        }
        if (length > 0) {
            Range along;
            along.restrict(dx / length, (-from.x() * dx + (y - from.y()) * dy) / length, 0, length);
            along.restrict(-dy / length, (from.x() * dy + (y - from.y()) * dx) / length, -radius, radius);
            if (along.low <= along.high) {
                low = std::min(low, along.low);
                high = std::max(high, along.high);
            }
        }
        if (low <= high) {
            const std::uint32_t first = columnOf(std::ceil(low - 0.5));
            mask.setRun(first, std::max(first, columnOf(std::floor(high - 0.5) + 1)), row, value);
        }
    }
}

ForbiddenArea::ForbiddenArea(DocumentViewModel& document, QObject* parent) : QObject(parent), document_(document) {
    connect(&document_, &DocumentViewModel::imageChanged, this, &ForbiddenArea::onImage);
}

void ForbiddenArea::setPainting(bool painting) {
    if (painting != painting_) {
        if (!painting) {
            cancelStroke();
        }
        painting_ = painting;
        emit brushChanged();
    }
}

void ForbiddenArea::beginStroke(const QPointF& image, bool erase) {
    const auto whole = document_.image();
    if (!whole) {
        return;
    }
    stroke_.emplace(mask_ ? *mask_ : Mask(whole->width(), whole->height(), false));
    strokeErases_ = erase;
    last_ = centreOfPixel(image);
    strokeTo(image);
}

void ForbiddenArea::strokeTo(const QPointF& image) {
    if (stroke_) {
        const QPointF place = centreOfPixel(image);
        paintStroke(*stroke_, last_, place, brush_ / 2.0, !strokeErases_);
        last_ = place;
        emit shownChanged();
    }
}

void ForbiddenArea::endStroke() {
    if (stroke_) {
        set(std::make_shared<const Mask>(*std::exchange(stroke_, std::nullopt)));
        emit shownChanged();
    }
}

void ForbiddenArea::cancelStroke() {
    if (std::exchange(stroke_, std::nullopt)) {
        emit shownChanged();
    }
}

void ForbiddenArea::clear() { set(nullptr); }

void ForbiddenArea::set(const std::shared_ptr<const Mask>& mask) {
    std::shared_ptr<const Mask> wanted = mask && mask->count() != 0 ? mask : nullptr;
    const bool same = wanted == mask_ || (wanted && mask_ && *wanted == *mask_);
    if (!same) {
        mask_ = std::move(wanted);
        stroke_.reset();
        emit changed();
        emit shownChanged();
    }
}

void ForbiddenArea::make(const std::function<Mask(const JobControl& control)>& job) {
    worker_.post(
        Lane::load, [job](const std::stop_token& stop) { return std::make_shared<const Mask>(job(JobControl(stop))); },
        [this](const JobOutcome& outcome, const std::shared_ptr<const Mask>& made) {
            if (outcome.ok()) {
                set(made);
            } else if (outcome.kind == JobOutcome::Kind::failed) {
                emit failed(tr("The forbidden area was not read"), QString::fromStdString(outcome.message));
            }
        });
}

void ForbiddenArea::load(const QString& path, const ReadLimits& limits) {
    const auto image = document_.image();
    if (!image) {
        return;
    }
    OpenRequest request = document_.pageRequest();
    request.page = 0;
    request.raw.reset();
    const std::filesystem::path file = QFileInfo(path).filesystemAbsoluteFilePath();
    make([file, options = request.options(limits), width = image->width(),
          height = image->height()](const JobControl& control) {
        const LoadedImage loaded = readImage(file, options, control);
        if (loaded.image->width() != width || loaded.image->height() != height) {
            throw Error(ErrorCode::invalidArgument, "forbidden area: " + file.string() + ": it has " +
                                                        sizeText(loaded.image->width(), loaded.image->height()) +
                                                        ", the image has " + sizeText(width, height));
        }
        return maskOfOthers(*loaded.image, 0);
    });
}

void ForbiddenArea::takeNodes(const std::shared_ptr<const NodeSet>& nodes) {
    const auto tree = document_.tree();
    if (tree && nodes && !nodes->empty()) {
        make([tree, nodes, slice = document_.shown().slice](const JobControl&) {
            return maskOfNodes(*tree, flagsOf(*tree, maximalComponents(*tree, *nodes)), slice);
        });
    }
}

void ForbiddenArea::onImage() {
    worker_.stop(Lane::load);
    const auto image = document_.image();
    const ImagePlace place = image ? placeOf(document_.request(), *document_.imageInfo()) : ImagePlace();
    const bool samePlace = std::exchange(path_, document_.path()) == document_.path() && place == place_;
    place_ = place;
    cancelStroke();
    if (!image) {
        setPainting(false);
    }
    if (!samePlace || !image || !mask_ || !fits(*mask_, *image)) {
        set(nullptr);
    }
}

void ContourSettings::setEngine(const ContourEngine& engine) {
    if (engine != engine_) {
        if (engine.apart != engine_.apart) {
            reach_ = engine.apart;
        }
        engine_ = engine;
        emit engineSet();
        emit edited();
    }
}

void ContourSettings::setReach(const std::optional<std::uint32_t>& margin) {
    ContourEngine engine = engine_;
    engine.apart = margin;
    setEngine(engine);
    reach_ = margin;
}

void ContourSettings::adopt(const SnakeSpec& spec, ContourEngine engine, const std::shared_ptr<const Mask>& forbidden) {
    adopting_ = true;
    const bool otherSpec = change(spec_, spec);
    const bool otherEngine = change(engine_, std::move(engine));
    if (otherSpec) {
        emit specChanged();
    }
    if (otherEngine) {
        emit engineSet();
    }
    forbidden_.set(forbidden);
    adopting_ = false;
}

} // namespace pollard::vm
