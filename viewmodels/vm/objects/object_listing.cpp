#include "vm/objects/object_listing.hpp"

#include "base/error.hpp"
#include "components/object_counts.hpp"
#include "components/objects/channel_columns.hpp"
#include "components/objects/channel_measures.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pollard::vm {

namespace {

std::vector<ObjectColumn> measured(const FoundObjects& found, const ChannelImage& channels, const PlaneMeasures& wanted,
                                   const JobControl& control) {
    const std::vector<NamedMeasure> measures = parseChannelMeasures(kUsualMeasures);
    const auto planes = std::span(channels.planes).first(std::min(wanted.planes, channels.planes.size()));
    if (planes.empty()) {
        return {};
    }
    std::vector<std::string> names;
    for (const ChannelPlane& plane : planes) {
        names.push_back(plane.channel.name);
    }
    return channelColumns(
        std::make_shared<const ChannelMeasures>(measureChannels(found.components, planes, wanted.spec, control)),
        measures, names);
}

std::vector<ObjectColumn> counted(const FoundObjects& found, const ChannelImage& channels, const PlaneMeasures& wanted,
                                  const JobControl& control) {
    const auto isIt = [&](const ChannelPlane& plane) { return plane.channel.name == wanted.counted->channel; };
    const auto plane = wanted.counted ? std::ranges::find_if(channels.planes, isIt) : channels.planes.end();
    return plane == channels.planes.end()
               ? std::vector<ObjectColumn>()
               : std::vector{countColumn(found.components, *plane, wanted.counted->from, control)};
}

/// With the values of its columns; @p otherwise if they were not measured.
ObjectCondition withValues(const ObjectCondition& condition, std::span<const ObjectColumn> columns,
                           const ObjectCondition& otherwise) {
    try {
        return condition.withColumns(columns);
    } catch (const ConditionError&) {
        return otherwise;
    }
}

/// The columns with places. The image of the known listing is used if its file is the same.
std::vector<ObjectColumn> placesFor(const ListingRequest& request, ObjectListing& listing) {
    const Components& found = request.found->components;
    listing.source = request.source;
    if (!request.source) {
        return {};
    }
    listing.places = request.known && request.known->source == request.source
                         ? request.known->places
                         : placesOf(*request.source, found.width, found.height);
    std::vector<ObjectColumn> columns = placeColumns(found, listing.places, request.found->fluxes);
    for (const ObjectColumn& column : columns) {
        listing.placeNames.push_back(column.name);
    }
    return columns;
}

} // namespace

std::shared_ptr<const ObjectListing> listingOf(ListingRequest request, const JobControl& control) {
    const bool same = request.known && request.known->found == request.found;
    ObjectListing listing;
    listing.found = request.found;
    listing.planes = request.planes;
    listing.measures = request.measures;
    listing.edges = same ? request.known->edges : nullptr;
    ObjectListSpec& spec = request.spec;
    spec.removed = request.removed.get();
    spec.keys = request.tracks ? request.tracks->tracksOf(*request.found) : nullptr;
    const EdgeMeasure needed =
        std::max({request.demanded, edgeMeasureOf(spec), edgeMeasureOf(std::as_const(request.conditions))});
    if (!request.found->components.isVolume() &&
        needed > (listing.edges ? listing.edges->measured : EdgeMeasure::none)) {
        listing.edges = std::make_shared<const ObjectEdges>(measureEdges(request.found->components, needed, control));
    }
    const MeasuredObjects objects = listing.measured(request.unit);
    if (same && request.known->planes == request.planes && request.known->measures == request.measures) {
        listing.inChannels = request.known->inChannels;
        listing.columnProblem = request.known->columnProblem;
    } else if (request.planes) {
        for (const auto& make : {measured, counted}) {
            try {
                for (ObjectColumn& column : make(*request.found, *request.planes, request.measures, control)) {
                    listing.inChannels.push_back(std::move(column));
                }
            } catch (const Error& error) {
                listing.columnProblem = error.what();
            }
        }
    }
    listing.columns = placesFor(request, listing);
    std::ranges::copy(listing.inChannels, std::back_inserter(listing.columns));
    if (!request.classes.empty()) {
        const ObjectCondition never = ObjectCondition::parse("0 > 1");
        for (ClassCondition& one : request.conditions) {
            one.condition = withValues(one.condition, listing.columns, never);
        }
        listing.classified = std::make_shared<const ClassifiedObjects>(
            classifyObjects(objects, std::move(request.classes), request.conditions, control));
        listing.columns.push_back(classColumn(listing.classified));
    }
    spec.columns = listing.columns;
    spec.condition = withValues(spec.condition, listing.columns, {});
    static_cast<ObjectList&>(listing) = listObjects(objects, spec, control);
    if (listing.classified) {
        listing.classCounts = listing.classified->countsOf(listing.labels);
    }
    return std::make_shared<const ObjectListing>(std::move(listing));
}

} // namespace pollard::vm
