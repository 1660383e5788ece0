#include "geo/sky_coordinates.hpp"

#include "base/text.hpp"

#include <limits>
#include <utility>

#ifdef POLLARD_WITH_WCS

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <mutex>

#include <wcs.h>
#include <wcshdr.h>
#include <wcsmath.h>

namespace pollard {

namespace {

constexpr std::size_t kCard = 80;
constexpr int kMostAxes = 9;

/// wcslib does not read 1.5D-05, which FITS allows.
std::string withPlainExponent(std::string card) {
    constexpr std::size_t kValue = 10;
    const std::size_t end = std::min(card.find('/', kValue), card.size());
    if (card.find('\'', kValue) == std::string::npos) {
        std::replace(card.begin() + kValue, card.begin() + static_cast<std::ptrdiff_t>(end), 'D', 'E');
    }
    return card;
}

/// All descriptions of coordinates in a header.
struct Descriptions {
    int count = 0;
    wcsprm* first = nullptr;

    explicit Descriptions(const SkyHeader& header) {
        std::string cards;
        for (std::string card : header.cards) {
            card.resize(kCard, ' ');
            cards += withPlainExponent(std::move(card));
        }
        std::string end = "END";
        end.resize(kCard, ' ');
        cards += end;
        int rejected = 0;
        if (wcspih(cards.data(), static_cast<int>(cards.size() / kCard), WCSHDR_all, 0, &rejected, &count, &first) !=
            0) {
            count = 0;
        }
    }
    ~Descriptions() {
        if (first != nullptr) {
            wcsvfree(&count, &first);
        }
    }
    Descriptions(const Descriptions&) = delete;
    Descriptions& operator=(const Descriptions&) = delete;

    /// The first description of a place in the sky that wcslib can use; null if there is none.
    [[nodiscard]] wcsprm* ofSky() const {
        for (int i = 0; i < count; ++i) {
            wcsprm* const each = first + i;
            if (each->naxis <= kMostAxes && wcsset(each) == 0 && each->lng >= 0 && each->lat >= 0) {
                return each;
            }
        }
        return nullptr;
    }
};

std::string frameOf(const wcsprm& description) {
    if (description.radesys[0] != '\0') {
        return description.radesys;
    }
    constexpr double kFirstOfFk5 = 1984; // by the standard of FITS
    if (std::isfinite(description.equinox) && description.equinox != UNDEFINED) {
        return description.equinox < kFirstOfFk5 ? "FK4" : "FK5";
    }
    return "ICRS";
}

} // namespace

struct SkyCoordinates::State {
    SkyHeader header;
    Descriptions all;
    wcsprm* sky;
    std::string longitude;
    std::string latitude;
    std::string frame;
    std::mutex turn;

    explicit State(SkyHeader of) : header(std::move(of)), all(header), sky(all.ofSky()) {
        if (sky != nullptr) {
            longitude = lowered(sky->lngtyp);
            latitude = lowered(sky->lattyp);
            frame = longitude == "ra" ? frameOf(*sky) : std::string();
        }
    }
};

std::string wcslibVersion() { return wcslib_version(nullptr); }

std::shared_ptr<const SkyCoordinates> SkyCoordinates::of(const std::optional<SkyHeader>& header) {
    if (!header) {
        return nullptr;
    }
    auto state = std::make_unique<State>(*header);
    return state->sky == nullptr ? nullptr
                                 : std::shared_ptr<const SkyCoordinates>(new SkyCoordinates(std::move(state)));
}

SkyPoint SkyCoordinates::at(double x, double y) const {
    const std::array<double, 3> pixel = state_->header.imagePixel(x, y);
    std::array<double, kMostAxes> from{};
    std::array<double, kMostAxes> between{};
    std::array<double, kMostAxes> world{};
    from.fill(1);
    std::ranges::copy(pixel, from.begin());
    double phi = 0;
    double theta = 0;
    int status = 0;
    const std::lock_guard lock(state_->turn);
    if (wcsp2s(state_->sky, 1, state_->sky->naxis, from.data(), between.data(), &phi, &theta, world.data(), &status) !=
            0 ||
        status != 0) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        return {kNone, kNone};
    }
    return {world[static_cast<std::size_t>(state_->sky->lng)], world[static_cast<std::size_t>(state_->sky->lat)]};
}

} // namespace pollard

#else

namespace pollard {

struct SkyCoordinates::State {
    std::string longitude;
    std::string latitude;
    std::string frame;
};

std::string wcslibVersion() { return {}; }

std::shared_ptr<const SkyCoordinates> SkyCoordinates::of(const std::optional<SkyHeader>& /*header*/) { return nullptr; }

SkyPoint SkyCoordinates::at(double /*x*/, double /*y*/) const {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    return {kNone, kNone};
}

} // namespace pollard

#endif

namespace pollard {

SkyCoordinates::SkyCoordinates(std::unique_ptr<State> state) : state_(std::move(state)) {}
SkyCoordinates::~SkyCoordinates() = default;

const std::string& SkyCoordinates::longitudeName() const noexcept { return state_->longitude; }
const std::string& SkyCoordinates::latitudeName() const noexcept { return state_->latitude; }
const std::string& SkyCoordinates::frame() const noexcept { return state_->frame; }

} // namespace pollard
