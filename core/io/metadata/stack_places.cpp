#include "io/metadata/stack_places.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>

namespace pollard {

namespace {

constexpr const char* kCountedAsStored = "; pages are counted as stored";

const char* axisWord(char name) {
    switch (name) {
    case 'c':
        return "channel";
    case 'z':
        return "z";
    case 't':
        return "time";
    default:
        return "image";
    }
}

[[noreturn]] void refuseAxes(std::string_view order, const std::string& why) {
    throw Error(ErrorCode::invalidArgument, "axes '" + std::string(order) + "': " + why);
}

/// An axis as a text states it.
struct DeclaredAxis {
    char name = 't';
    int count = 0; ///< 0: not stated
};

/// The axes of a text in lower case, the slowest first.
std::vector<DeclaredAxis> statedAxes(std::string_view order) {
    constexpr std::string_view kAxes = "tzc";
    constexpr const char* kExpected = "must be t, z and c, each once and with its number of positions, from the "
                                      "slowest to the fastest, such as t3z5c2";
    std::string_view rest = order.substr(0, order.size() - (order.ends_with("yx") ? 2 : 0));
    std::vector<DeclaredAxis> axes;
    while (!rest.empty()) {
        DeclaredAxis axis{rest.front()};
        const bool isNew = std::ranges::find(axes, axis.name, &DeclaredAxis::name) == axes.end();
        rest.remove_prefix(1);
        const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
        if (digits > 0) {
            const auto [end, problem] = std::from_chars(rest.data(), rest.data() + digits, axis.count);
            axis.count = problem == std::errc{} ? axis.count : 0;
        }
        if (!isNew || kAxes.find(axis.name) == std::string_view::npos || (digits > 0 && axis.count < 1)) {
            refuseAxes(order, kExpected);
        }
        rest.remove_prefix(digits);
        axes.push_back(axis);
    }
    if (axes.empty()) {
        refuseAxes(order, kExpected);
    }
    return axes;
}

/// "t4z3c2"
std::string orderText(const std::vector<StackAxis>& axes) {
    std::string text;
    for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
        text += axis->name + std::to_string(axis->count);
    }
    return text;
}

/// Whether a file states exactly these axes; axes of one position may be missing.
bool agrees(const std::vector<DeclaredAxis>& stated, const std::vector<StackAxis>& axes) {
    auto next = axes.rbegin();
    for (const DeclaredAxis& axis : stated) {
        const bool isThere = next != axes.rend() && next->name == axis.name;
        if (axis.count > 0 && axis.count != (isThere ? next->count : 1)) {
            return false;
        }
        if (isThere) {
            ++next;
        } else if (std::ranges::find(axes, axis.name, &StackAxis::name) != axes.end()) {
            return false;
        }
    }
    return next == axes.rend();
}

/// Gives the axis without a number of positions the rest of the pages.
void complete(std::vector<DeclaredAxis>& stated, int pages, std::string_view order) {
    const auto lacks = [](const DeclaredAxis& axis) { return axis.count == 0; };
    const std::string there = "the file has " + std::to_string(pages) + (pages == 1 ? " page" : " pages");
    if (pages > 1 && std::ranges::count_if(stated, lacks) > 1) {
        refuseAxes(order, "state how many positions all axes but one have, such as t3z5c2; " + there);
    }
    std::uint64_t product = 1;
    for (const DeclaredAxis& axis : stated) {
        product *= static_cast<std::uint64_t>(std::max(axis.count, 1));
        if (product > static_cast<std::uint64_t>(pages)) {
            break; // no product of three counts overflows
        }
    }
    const auto all = static_cast<std::uint64_t>(pages);
    const bool isShort = std::ranges::none_of(stated, lacks) && product != all;
    if (product > all || all % product != 0 || isShort) {
        refuseAxes(order, "the counts do not multiply to the pages; " + there);
    }
    for (DeclaredAxis& axis : stated) {
        axis.count = axis.count > 0 ? axis.count : static_cast<int>(all / product);
    }
}

bool isInOrderOfDirectories(const StackPlaces& places) {
    for (std::size_t page = 0; page < places.pages.size(); ++page) {
        if (places.pages[page] != PagePlace{static_cast<std::uint32_t>(page), 0}) {
            return false;
        }
    }
    return true;
}

std::string plannedText(const std::vector<StackAxis>& axes, std::size_t planned) {
    std::string text;
    for (const StackAxis& axis : axes) {
        if (axis.count > 1) {
            text += (text.empty() ? "" : " x ") + std::to_string(axis.count) + " " + axisWord(axis.name) +
                    (axis.name == 'z' ? "" : "s");
        }
    }
    return std::to_string(planned) + " planes are planned" + (text.empty() ? "" : " (" + text + ")");
}

/// Shortens the last axis to the positions with a plane, and the places with it.
void endAtLastPlane(std::vector<StackAxis>& axes, std::vector<PagePlace>& pages) {
    const auto last = std::find_if(pages.rbegin(), pages.rend(), [](const PagePlace& page) { return page.isStored(); });
    const auto used = static_cast<std::size_t>(pages.rend() - last);
    while (!axes.empty() && axes.back().count == 1) {
        axes.pop_back();
    }
    if (axes.empty()) {
        return;
    }
    StackAxis& slowest = axes.back();
    const std::size_t stride = pages.size() / static_cast<std::size_t>(slowest.count);
    const std::size_t positions = (used + stride - 1) / stride;
    slowest.count = static_cast<int>(positions);
    slowest.labels.resize(std::min(slowest.labels.size(), positions));
    pages.resize(positions * stride);
}

} // namespace

StackPlaces placePages(const std::string& origin, std::vector<StackAxis> axes, StackPlaces places, ImageInfo& info) {
    const std::size_t planned = places.pages.size();
    const auto stored =
        static_cast<std::size_t>(std::ranges::count_if(places.pages, [](const PagePlace& p) { return p.isStored(); }));
    if (stored == 0) {
        return {};
    }
    if (stored < planned) {
        info.notes.push_back(origin + ": " + plannedText(axes, planned) + ", " + std::to_string(stored) +
                             (stored == 1 ? " is stored" : " are stored"));
    }
    endAtLastPlane(axes, places.pages);
    std::erase_if(axes, [](const StackAxis& axis) { return axis.count == 1; });
    info.axes = std::move(axes);
    const bool isPlain = places.pages.size() == static_cast<std::size_t>(info.pages) && isInOrderOfDirectories(places);
    info.pages = static_cast<int>(places.pages.size());
    return isPlain ? StackPlaces{} : std::move(places);
}

void leaveUnclear(const std::string& origin, const std::string& why, ImageInfo& info) {
    info.notes.push_back(origin + ": " + why + kCountedAsStored);
}

std::string unclearOrder(const ImageInfo& info) {
    const auto note =
        std::ranges::find_if(info.notes, [](const std::string& each) { return each.ends_with(kCountedAsStored); });
    return note == info.notes.end() ? "" : note->substr(0, note->size() - std::string_view(kCountedAsStored).size());
}

std::string parseAxisOrder(std::string_view text) {
    std::string order = lowered(text);
    (void)statedAxes(order);
    order.resize(order.size() - (order.ends_with("yx") ? 2 : 0));
    return order;
}

void stateAxes(std::string_view order, ImageInfo& info) {
    std::vector<DeclaredAxis> stated = statedAxes(order);
    const bool isOpen =
        info.axes.empty() || (info.axes.size() == 1 && (info.axes[0].name == 'p' || info.axes[0].name == kUnclearAxis));
    if (!isOpen || info.pages == 1) {
        if (!agrees(stated, info.axes)) {
            refuseAxes(order, info.axes.empty() ? "the file has 1 page" : "the file states " + orderText(info.axes));
        }
        return;
    }
    complete(stated, info.pages, order);
    info.axes.clear();
    for (auto axis = stated.rbegin(); axis != stated.rend(); ++axis) {
        if (axis->count > 1) {
            info.axes.push_back({axis->name, axis->count, {}});
        }
    }
    std::erase_if(info.notes, [](const std::string& each) { return each.ends_with(kCountedAsStored); });
}

std::string positionText(const std::vector<StackAxis>& axes, int page) {
    std::string text;
    int stride = 1;
    for (const StackAxis& axis : axes) {
        const int position = page / stride % axis.count;
        const auto at = static_cast<std::size_t>(position);
        text += (text.empty() ? "" : ", ") + std::string(axisWord(axis.name)) + " " +
                (at < axis.labels.size() && !axis.labels[at].empty() ? axis.labels[at] : std::to_string(position));
        stride *= axis.count;
    }
    return text;
}

} // namespace pollard
