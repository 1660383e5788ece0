#include "geo/earth_projection.hpp"

#include "base/error.hpp"

#ifdef POLLARD_WITH_PROJ

#include "io/metadata/fact_text.hpp"

#include <proj.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <utility>
#include <vector>

namespace pollard {

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

    /// A described projection takes two steps, by its geographic system: for a system without a code PROJ 9.6 prefers
    /// other operations to WGS 84 than for those that have one.
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
            fail(system, "the picture has no longitude and latitude in it");
        }
    }

    /// NaN where undefined.
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

} // namespace pollard

#else

namespace pollard {

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

} // namespace pollard

#endif
