#include "geo/map_coordinates.hpp"

#include "base/error.hpp"
#include "geo/map_system.hpp"
#include "io/metadata/fact_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <mutex>
#include <numbers>
#include <string>
#include <utility>

#ifdef POLLARD_WITH_PROJ
#include <geodesic.h>
#include <proj.h>
#endif

namespace pollard {

#ifdef POLLARD_WITH_PROJ

namespace {

struct Destroy {
    void operator()(PJ_CONTEXT* context) const noexcept { proj_context_destroy(context); }
    void operator()(PJ* object) const noexcept { proj_destroy(object); }
};
using Context = std::unique_ptr<PJ_CONTEXT, Destroy>;
using Object = std::unique_ptr<PJ, Destroy>;

void keepMessage(void* message, int /*level*/, const char* text) {
    if (text != nullptr) {
        *static_cast<std::string*>(message) = text;
    }
}

bool isGeographicType(PJ_TYPE type) { return type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS; }

} // namespace

struct EarthProjection::State {
    std::string message; ///< last message of PROJ; outlives the context, which writes it
    Context context{proj_context_create()};
    std::vector<Object> operations; ///< one after the other from the system's own units, axes in the order east, north
    std::string name;
    std::string unit;
    bool geographic = false;
    double factor = 1;  ///< units of the system per unit of the tags
    double degrees = 0; ///< per unit of the tags
    mutable std::mutex turn;

    State(const MapSystem& system, std::span<const MapPoint> places) {
        proj_log_func(context.get(), &message, keepMessage);
        proj_log_level(context.get(), PJ_LOG_ERROR);
        proj_context_set_enable_network(context.get(), 0);
        const Object crs = horizontalPart(create(system));
        const PJ_TYPE type = proj_get_type(crs.get());
        geographic = isGeographicType(type);
        if (!geographic && type != PJ_TYPE_PROJECTED_CRS) {
            fail(system, "it is neither projected nor geographic");
        }
        const char* const known = proj_get_name(crs.get());
        const bool isNamed = system.projection.empty() && system.definition.starts_with("EPSG");
        name = isNamed && known != nullptr ? factText(known) : system.name;
        readUnit(crs.get(), system);
        choose(crs.get(), system, places);
    }

    [[noreturn]] void fail(const MapSystem& system, const std::string& why) const {
        const std::string called = system.name.empty() ? std::string() : system.name + ", ";
        const std::string defined = system.definition.starts_with("EPSG") ? system.definition : "described by its keys";
        throw Error(ErrorCode::formatUnsupported,
                    "the coordinate system is not known: " + called + defined + ": " + factText(why));
    }

    Object create(const MapSystem& system) {
        Object crs{proj_create(context.get(), system.definition.c_str())};
        if (crs && !system.projection.empty()) {
            constexpr std::array<const char*, 2> kOneLine{"MULTILINE=NO", nullptr};
            const char* const wkt = proj_as_wkt(context.get(), crs.get(), PJ_WKT1_GDAL, kOneLine.data());
            const std::string base = wkt == nullptr ? std::string() : wkt;
            crs.reset();
            if (base.starts_with("GEOGCS")) {
                crs.reset(
                    proj_create(context.get(), ("PROJCS[\"unnamed\"," + base + ',' + system.projection + ']').c_str()));
            }
        }
        if (!crs) {
            fail(system, message.empty() ? "PROJ cannot read it" : message);
        }
        return crs;
    }

    Object horizontalPart(Object crs) {
        if (proj_get_type(crs.get()) == PJ_TYPE_COMPOUND_CRS) {
            if (Object part{proj_crs_get_sub_crs(context.get(), crs.get(), 0)}) {
                return part;
            }
        }
        return crs;
    }

    void readUnit(const PJ* crs, const MapSystem& system) {
        const Object axes{proj_crs_get_coordinate_system(context.get(), crs)};
        double size = 0;
        const char* unitName = nullptr;
        if (!axes ||
            proj_cs_get_axis_info(context.get(), axes.get(), 0, nullptr, nullptr, nullptr, &size, &unitName, nullptr,
                                  nullptr) == 0 ||
            !(size > 0)) {
            fail(system, "its axes have no unit");
        }
        unit = unitName == nullptr ? std::string() : factText(unitName);
        constexpr double kSame = 1e-9;
        if (system.unit > 0 && std::abs(system.unit / size - 1) > kSame) {
            factor = system.unit / size;
            unit = geographic ? "" : system.unit == 1 ? "metre" : "unit";
        }
        degrees = geographic ? size * factor * 180 / std::numbers::pi : 0;
    }

    /// All operations between two systems, in longitude and latitude or east and north.
    Object between(const PJ* from, const PJ* to) {
        const bool known = from != nullptr && to != nullptr;
        const Object all{known ? proj_create_crs_to_crs_from_pj(context.get(), from, to, nullptr, nullptr) : nullptr};
        return Object{all ? proj_normalize_for_visualization(context.get(), all.get()) : nullptr};
    }

    /// Chooses the operations. A described projection takes two steps, over its geographic system, because PROJ 9.6
    /// prefers other operations to WGS 84 for a system without a code than for a system with a code.
    void choose(const PJ* crs, const MapSystem& system, std::span<const MapPoint> places) {
        const Object earth{proj_create(context.get(), "OGC:CRS84")};
        const Object base{system.projection.empty() ? nullptr : proj_crs_get_geodetic_crs(context.get(), crs)};
        std::vector<Object> steps;
        if (base) {
            steps.push_back(between(crs, base.get()));
        }
        steps.push_back(between(base ? base.get() : crs, earth.get()));
        if (std::ranges::any_of(steps, [](const Object& step) { return step == nullptr; })) {
            fail(system, message.empty() ? "there is no way to WGS 84" : message);
        }
        for (const MapPoint& place : places) {
            MapPoint there{place.x * factor, place.y * factor};
            operations.clear();
            for (const Object& step : steps) {
                there = moved(step.get(), PJ_FWD, there);
                operations.emplace_back(proj_trans_get_last_used_operation(step.get()));
            }
            if (std::isfinite(there.x)) {
                break;
            }
            operations.clear();
        }
        const auto isTwoWay = [](const Object& step) { return step && proj_pj_info(step.get()).has_inverse != 0; };
        if (operations.empty() || !std::ranges::all_of(operations, isTwoWay)) {
            fail(system, "the image has no longitude and latitude in it");
        }
    }

    /// NaN if undefined.
    static MapPoint moved(PJ* operation, PJ_DIRECTION direction, MapPoint place) {
        constexpr MapPoint kNone{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
        if (!std::isfinite(place.x) || !std::isfinite(place.y)) {
            return kNone;
        }
        // A time of HUGE_VAL is unknown; 0 is the year 0, and continents move.
        const PJ_COORD there = proj_trans(operation, direction, proj_coord(place.x, place.y, 0, HUGE_VAL));
        return std::isfinite(there.xy.x) && std::isfinite(there.xy.y) ? MapPoint{there.xy.x, there.xy.y} : kNone;
    }

    [[nodiscard]] MapPoint toEarth(MapPoint place) const {
        for (const Object& operation : operations) {
            place = moved(operation.get(), PJ_FWD, place);
        }
        return place;
    }
    [[nodiscard]] MapPoint fromEarth(MapPoint place) const {
        for (auto operation = operations.rbegin(); operation != operations.rend(); ++operation) {
            place = moved(operation->get(), PJ_INV, place);
        }
        return place;
    }
};

EarthProjection::EarthProjection(const MapSystem& system, std::span<const MapPoint> places)
    : state_(std::make_unique<State>(system, places)) {}

EarthProjection::~EarthProjection() = default;

const std::string& EarthProjection::name() const noexcept { return state_->name; }
bool EarthProjection::isGeographic() const noexcept { return state_->geographic; }
const std::string& EarthProjection::unit() const noexcept { return state_->unit; }
double EarthProjection::degrees() const noexcept { return state_->degrees; }

void EarthProjection::toLonLat(std::span<MapPoint> places) const {
    const std::lock_guard lock(state_->turn);
    for (const Object& operation : state_->operations) {
        proj_errno_reset(operation.get());
    }
    for (MapPoint& place : places) {
        const double stated = place.x * state_->degrees;
        place = state_->toEarth({place.x * state_->factor, place.y * state_->factor});
        if (state_->geographic) {
            place.x += 360 * std::round((stated - place.x) / 360);
        }
    }
}

void EarthProjection::fromLonLat(std::span<MapPoint> places) const {
    const std::lock_guard lock(state_->turn);
    for (MapPoint& place : places) {
        place = state_->fromEarth(place);
        place.x /= state_->factor;
        place.y /= state_->factor;
    }
}

#else

struct EarthProjection::State {
    std::string none;
};

EarthProjection::EarthProjection(const MapSystem& /*system*/, std::span<const MapPoint> /*places*/) {
    throw Error(ErrorCode::formatUnsupported,
                "longitude and latitude need PROJ, and this program was built without it");
}
EarthProjection::~EarthProjection() = default;
const std::string& EarthProjection::name() const noexcept { return state_->none; }
bool EarthProjection::isGeographic() const noexcept { return false; }
const std::string& EarthProjection::unit() const noexcept { return state_->none; }
double EarthProjection::degrees() const noexcept { return 0; }
void EarthProjection::toLonLat(std::span<MapPoint> /*places*/) const {}
void EarthProjection::fromLonLat(std::span<MapPoint> /*places*/) const {}

#endif

namespace {

double turned(double longitude, double near) { return longitude + 360 * std::round((near - longitude) / 360); }

} // namespace

bool MapCoordinates::areIn(const std::vector<CopiedTag>& tags) {
    constexpr std::uint16_t kShort = 3;
    return geoTransform(tags).has_value() && !geoValues<std::uint16_t>(tags, kGeoKeyDirectoryTag, kShort).empty();
}

std::shared_ptr<const MapCoordinates> MapCoordinates::of(const std::vector<CopiedTag>& tags, std::uint32_t width,
                                                         std::uint32_t height) {
    return areIn(tags) ? std::make_shared<const MapCoordinates>(tags, width, height) : nullptr;
}

MapCoordinates::MapCoordinates(const std::vector<CopiedTag>& tags, std::uint32_t width, std::uint32_t height)
    : size_{static_cast<double>(width), static_cast<double>(height)}, map_(cornerTransform(tags)),
      determinant_(map_.x[1] * map_.y[2] - map_.x[2] * map_.y[1]) {
    unitsPerPixel_ = std::min(std::hypot(map_.x[1], map_.y[1]), std::hypot(map_.x[2], map_.y[2]));
    middle_ = worldAt({width / 2.0, height / 2.0});
    const bool usable = std::isnormal(determinant_) && std::isnormal(unitsPerPixel_) && std::isfinite(middle_.x) &&
                        std::isfinite(middle_.y);
    if (!usable) {
        throw Error(ErrorCode::formatUnsupported, "the tags of the image give its pixels no size on the map");
    }
    const MapSystem system = mapSystemOf(tags);
    // The middle may be a pole, whose longitude is undefined.
    const std::array<MapPoint, 3> pixels{
        {{width * 0.4, height * 0.45}, {width / 2.0, height / 2.0}, {width * 0.1, height * 0.1}}};
    std::array<MapPoint, 3> places{};
    std::ranges::transform(pixels, places.begin(), [this](MapPoint pixel) { return worldAt(pixel); });
    earth_ = std::make_unique<EarthProjection>(system, places);
    measure(pixels);
}

void MapCoordinates::measure(std::span<const MapPoint> places) {
    for (const MapPoint& place : places) {
        constexpr double kStep = 0.25; // px
        std::array<MapPoint, 3> at{{place, {place.x + kStep, place.y}, {place.x, place.y + kStep}}};
        toLonLat(at);
        const double scale = std::cos(at[0].y * std::numbers::pi / 180);
        const auto along = [&](const MapPoint& to) {
            return MapPoint{(turned(to.x, at[0].x) - at[0].x) * scale / kStep, (to.y - at[0].y) / kStep};
        };
        const MapPoint right = along(at[1]);
        const MapPoint down = along(at[2]);
        const double area = right.x * down.y - right.y * down.x;
        degreesPerPixel_ = std::min(std::hypot(right.x, right.y), std::hypot(down.x, down.y));
        mirrored_ = area > 0;
        if (std::isfinite(area) && area != 0 && degreesPerPixel_ > 0) {
            return;
        }
    }
    throw Error(ErrorCode::formatUnsupported, "the pixels of the image have no size in longitude and latitude");
}

MapPoint MapCoordinates::worldAt(MapPoint pixel) const noexcept {
    return {map_.x[0] + map_.x[1] * pixel.x + map_.x[2] * pixel.y,
            map_.y[0] + map_.y[1] * pixel.x + map_.y[2] * pixel.y};
}

void MapCoordinates::toLonLat(std::span<MapPoint> pixels) const {
    for (MapPoint& pixel : pixels) {
        pixel = worldAt(pixel);
    }
    earth_->toLonLat(pixels);
}

void MapCoordinates::toPixels(std::span<MapPoint> places) const {
    earth_->fromLonLat(places);
    const double turn = isGeographic() ? 360 / earth_->degrees() : 0;
    for (MapPoint& place : places) {
        const double off = place.x - middle_.x;
        constexpr double kSlack = 1e-12; // keeps both ends of an image of the whole earth in place
        if (turn > 0 && std::abs(off) > turn / 2 * (1 + kSlack)) {
            place.x -= turn * std::round(off / turn);
        }
        const double x = place.x - map_.x[0];
        const double y = place.y - map_.y[0];
        place = {(x * map_.y[2] - y * map_.x[2]) / determinant_, (y * map_.x[1] - x * map_.y[1]) / determinant_};
    }
}

bool MapCoordinates::showsAll(std::span<const MapPoint> places) const {
    return std::ranges::all_of(places, [this](const MapPoint& place) {
        if (!(std::abs(place.x) <= 180 && std::abs(place.y) <= 90)) {
            return false;
        }
        const MapPoint pixel = pixelAt(place);
        return pixel.x >= 0 && pixel.y >= 0 && pixel.x <= size_.x && pixel.y <= size_.y;
    });
}

MapPoint MapCoordinates::lonLatAt(MapPoint pixel) const {
    toLonLat({&pixel, 1});
    return pixel;
}

MapPoint MapCoordinates::pixelAt(MapPoint lonLat) const {
    toPixels({&lonLat, 1});
    return lonLat;
}

#ifdef POLLARD_WITH_PROJ

namespace {

/// A pixel on the ellipsoid, in m.
struct GroundPixel {
    double width = 0;
    double height = 0;
    double area = 0;
};

class Ground {
public:
    explicit Ground(const MapCoordinates& map) : map_(map) {
        constexpr double kRadius = 6378137; // WGS 84
        constexpr double kFlattening = 1 / 298.257223563;
        geod_init(&earth_, kRadius, kFlattening);
    }

    /// The pixel around a position; area 0 if the map has no longitude and latitude there.
    [[nodiscard]] GroundPixel at(double x, double y) const {
        constexpr double kHalf = 0.5;
        std::array<MapPoint, 4> corners{
            {{x - kHalf, y - kHalf}, {x + kHalf, y - kHalf}, {x + kHalf, y + kHalf}, {x - kHalf, y + kHalf}}};
        map_.toLonLat(corners);
        std::array<double, 4> latitudes{};
        std::array<double, 4> longitudes{};
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (!std::isfinite(corners[i].x) || !std::isfinite(corners[i].y)) {
                return {};
            }
            longitudes[i] = corners[i].x;
            latitudes[i] = corners[i].y;
        }
        const auto distance = [&](std::size_t from, std::size_t to) {
            double metres = 0;
            geod_inverse(&earth_, latitudes[from], longitudes[from], latitudes[to], longitudes[to], &metres, nullptr,
                         nullptr);
            return metres;
        };
        GroundPixel pixel{(distance(0, 1) + distance(3, 2)) / 2, (distance(0, 3) + distance(1, 2)) / 2, 0};
        geod_polygonarea(&earth_, latitudes.data(), longitudes.data(), static_cast<int>(corners.size()), &pixel.area,
                         nullptr);
        pixel.area = std::abs(pixel.area);
        return pixel;
    }

private:
    const MapCoordinates& map_;
    geod_geodesic earth_{};
};

/// Whether the system is a zone of a transverse Mercator projection, whose scale in the zone is within a thousandth
/// of 1.
bool isZone(const std::vector<CopiedTag>& tags) {
    const std::uint16_t code = GeoKeys(tags).number(kProjectedCrsKey).value_or(0);
    const auto within = [code](int first, int last) { return code >= first && code <= last; };
    return within(32601, 32660) || within(32701, 32760) || within(25828, 25838) || within(26901, 26923);
}

void describe(const GroundPixel& least, const GroundPixel& most, const GroundPixel& middle, ImageInfo& info) {
    constexpr double kSame = 0.01;   // of areas
    constexpr double kSquare = 0.02; // Web Mercator has squares on the sphere
    PixelSize& size = *info.pixelSize;
    const bool isAngle = size.unit != "m";
    const bool varies = most.area > least.area * (1 + kSame);
    const double stated = size.x * size.y;
    const auto isSame = [&](const GroundPixel& pixel) { return std::abs(pixel.area / stated - 1) <= kSame; };
    if (isAngle ? varies : isSame(least) && isSame(most)) {
        return;
    }
    size.source = kGroundSize;
    size.unit = "m";
    if (varies) {
        const auto square = [](double area) { return factNumber(std::round(area * 100) / 100) + " m²"; };
        size.whyNoUnit = "the area of a pixel on the ground varies from " + square(least.area) + " to " +
                         square(most.area) + " over the image: reproject it to an equal-area system, or read a region";
        info.notes.push_back("map units are not lengths on the ground: " + size.whyNoUnit);
        return;
    }
    const double shape = middle.width / middle.height;
    const double ratio = std::abs(shape - 1) < kSquare ? 1 : shape;
    size.x = std::sqrt(middle.area * ratio);
    size.y = middle.area / size.x;
    if (isAngle) {
        return;
    }
    info.notes.push_back("map units are not lengths on the ground: a pixel measures " + factNumber(size.x) + " x " +
                         factNumber(size.y) + " m there");
}

} // namespace

void findGroundSize(ImageInfo& info, std::uint32_t width, std::uint32_t height) {
    const bool isOfMap = info.pixelSize && info.pixelSize->source == "GeoTIFF" &&
                         (info.pixelSize->unit == "m" || info.pixelSize->unit == "°");
    if (!isOfMap || !MapCoordinates::areIn(info.carried) || isZone(info.carried)) {
        return;
    }
    try {
        const MapCoordinates map(info.carried, width, height);
        const Ground ground(map);
        constexpr int kSteps = 8;
        GroundPixel least;
        GroundPixel most;
        for (int i = 0; i <= kSteps; ++i) {
            for (int j = 0; j <= kSteps; ++j) {
                const GroundPixel pixel =
                    ground.at(0.5 + (width - 1.0) * i / kSteps, 0.5 + (height - 1.0) * j / kSteps);
                if (pixel.area > 0) {
                    least = least.area > 0 && least.area <= pixel.area ? least : pixel;
                    most = pixel.area > most.area ? pixel : most;
                }
            }
        }
        if (const GroundPixel middle = ground.at(width / 2.0, height / 2.0); middle.area > 0 && least.area > 0) {
            describe(least, most, middle, info);
        }
    } catch (const Error&) { // a system that PROJ does not know: the unit stays
    }
}

#else

void findGroundSize(ImageInfo& /*info*/, std::uint32_t /*width*/, std::uint32_t /*height*/) {}

#endif

} // namespace pollard
