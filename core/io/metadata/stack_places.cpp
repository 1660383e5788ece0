#include "io/metadata/stack_places.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
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
