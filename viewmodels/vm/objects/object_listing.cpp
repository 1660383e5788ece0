#include "vm/objects/object_listing.hpp"

#include "vm/document/image_units.hpp"
#include "vm/document/jobs/document_jobs.hpp"

#include "base/error.hpp"
#include "components/changed_objects.hpp"
#include "components/objects/channel_measures.hpp"
#include "components/objects/measured_objects.hpp"
#include "components/objects/object_parents.hpp"
#include "components/outline_files/label_outlines.hpp"
#include "engine/engine_registry.hpp"
#include "filter/analysis_image.hpp"
#include "image/mask.hpp"
#include "recipe/filter_stages.hpp"
#include "recipe/results/result_tags.hpp"

#include <QFileInfo>

#include <algorithm>
#include <deque>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

/// The condition with the values of its columns, or @p otherwise if they were not measured.
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

/// See ObjectListing::changed.
std::optional<LabelBox> changesSince(const ObjectListing& before, const ObjectListing& now) {
    const FoundObjects& found = *now.found;
    const bool isNext = before.found != now.found && found.before.lock() == before.found;
    if (!isNext || before.found->edited != found.edited ||
        (before.classified == nullptr) != (now.classified == nullptr)) {
        return std::nullopt;
    }
    LabelBox box = found.changed.value_or(LabelBox{});
    const auto looks = [](const ObjectListing& listing, std::uint32_t label) {
        return std::pair(listing.lists(label), listing.classified ? listing.classified->numbers[label - 1] : 0);
    };
    for (std::uint32_t label = 1; label <= before.found->components.count; ++label) {
        if (looks(before, label) != looks(now, label)) {
            box.add(boxOf(before.found->components, label));
            box.add(boxOf(found.components, label));
        }
    }
    return box;
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
    if (const VoxelSides sides = request.unit.proportions(); !listing.edges || !listing.edges->has(needed, sides)) {
        listing.edges =
            std::make_shared<const ObjectEdges>(measureEdges(request.found->components, needed, control, sides));
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
        if (request.found->edited == nullptr) { // numbers of other objects
            std::ranges::for_each(request.classes, [](ObjectClass& one) { one.members.clear(); });
        }
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
    if (request.known) {
        listing.since = request.known.get();
        listing.changed = changesSince(*request.known, listing);
    }
    return std::make_shared<const ObjectListing>(std::move(listing));
}

std::vector<std::uint32_t> labelsOf(const RemovedObjects& removed) {
    std::vector<std::uint32_t> labels;
    if (removed) {
        for (std::size_t i = 0; i < removed->size(); ++i) {
            if ((*removed)[i] != 0) {
                labels.push_back(static_cast<std::uint32_t>(i + 1));
            }
        }
    }
    return labels;
}

RemovedObjects removedOf(const std::vector<std::uint32_t>& labels, std::uint64_t count, std::uint64_t pixels) {
    if (labels.empty() || count > pixels) { // an image has at most as many objects as pixels
        return nullptr;
    }
    std::vector<std::uint8_t> flags(count, 0);
    for (const std::uint32_t label : labels) {
        flags[label - 1] = 1;
    }
    return std::make_shared<const std::vector<std::uint8_t>>(std::move(flags));
}

void ObjectMarks::setObjects(const std::shared_ptr<const FoundObjects>& found) {
    if (found == found_) {
        return;
    }
    last_ = found ? ChosenObjects() : chosen();
    const bool keeps = found && found_ && found->edited != nullptr &&
                       (found->edited == found_->edited || found->before.lock() == found_);
    const Labels kept = keeps ? selected_ : Labels();
    found_ = found;
    const bool wasSelected = !selected_.empty();
    const bool wasRemoved = removedCount_ != 0;
    selected_.clear();
    selectedFlags_.assign(found ? found->components.objects.size() : 0, 0);
    removed_.reset();
    removedCount_ = 0;
    for (const std::uint32_t before : kept) {
        const std::uint32_t label = before == found->moved.first ? found->moved.second : before;
        if (label <= selectedFlags_.size() && found->components.objects[label - 1].area != 0 &&
            std::exchange(selectedFlags_[label - 1], 1) == 0) {
            selected_.push_back(label);
        }
    }
    if (wasSelected && (!keeps || selected_ != kept)) {
        emit selectionChanged();
    }
    if (wasRemoved) {
        emit removedChanged();
    }
}

void ObjectMarks::forgetLast() {
    if (std::exchange(last_, {}).found) {
        emit selectionChanged();
    }
}

void ObjectMarks::select(std::span<const std::uint32_t> labels) {
    if (std::ranges::equal(labels, selected_)) {
        return;
    }
    for (const std::uint32_t label : selected_) {
        selectedFlags_[label - 1] = 0;
    }
    Labels chosen;
    chosen.reserve(labels.size());
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= selectedFlags_.size() && std::exchange(selectedFlags_[label - 1], 1) == 0) {
            chosen.push_back(label);
        }
    }
    selected_ = std::move(chosen);
    emit selectionChanged();
}

void ObjectMarks::toggle(std::uint32_t label) {
    if (label == 0 || label > selectedFlags_.size()) {
        return;
    }
    if (std::exchange(selectedFlags_[label - 1], 1) == 0) {
        selected_.push_back(label);
    } else {
        selectedFlags_[label - 1] = 0;
        std::erase(selected_, label);
    }
    emit selectionChanged();
}

void ObjectMarks::remove(std::span<const std::uint32_t> labels) {
    Labels fresh;
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= selectedFlags_.size() && !(removed_ && (*removed_)[label - 1] != 0)) {
            fresh.push_back(label);
        }
    }
    std::ranges::sort(fresh);
    fresh.erase(std::unique(fresh.begin(), fresh.end()), fresh.end());
    if (fresh.empty()) {
        return;
    }
    // A copy: a job may read the old one.
    auto flags = removed_ ? std::make_shared<std::vector<std::uint8_t>>(*removed_)
                          : std::make_shared<std::vector<std::uint8_t>>(selectedFlags_.size(), std::uint8_t{0});
    for (const std::uint32_t label : fresh) {
        (*flags)[label - 1] = 1;
    }
    removed_ = std::move(flags);
    removedCount_ += static_cast<int>(fresh.size());
    select({});
    emit removedChanged();
}

void ObjectMarks::keepOnly(std::span<const std::uint32_t> labels, std::span<const std::uint32_t> listed) {
    std::vector<std::uint8_t> kept(selectedFlags_.size(), 0);
    for (const std::uint32_t label : labels) {
        if (label != 0 && label <= kept.size()) {
            kept[label - 1] = 1;
        }
    }
    Labels rest;
    std::ranges::copy_if(listed, std::back_inserter(rest), [&](std::uint32_t label) {
        return label != 0 && label <= kept.size() && kept[label - 1] == 0;
    });
    remove(rest);
}

void ObjectMarks::restore(const RemovedObjects& removed) {
    const bool same = removed == removed_ || (removed && removed_ && *removed == *removed_);
    if (same || (removed && removed->size() != selectedFlags_.size())) {
        return;
    }
    removed_ = removed;
    removedCount_ = removed ? static_cast<int>(std::ranges::count(*removed, std::uint8_t{1})) : 0;
    select({});
    emit removedChanged();
}

namespace {

constexpr int kMostUnderWay = 2; ///< while another page is read

/// A page as read, and its pixels that count.
struct ReadPage {
    std::shared_ptr<const Image> image;
    std::shared_ptr<const Mask> inside;
    std::optional<ValueMapping> mapping;
    std::optional<PixelSize> pixelSize;
};

ReadPage readPage(const PageFilter& filter, const OpenRequest& page, const JobControl& control) {
    const LoadedImage loaded =
        filter.services.read(QFileInfo(page.path).filesystemFilePath(), page.options(filter.rules.limits), control);
    const auto& domain = filter.tree.domain;
    return {loaded.image, intersection(loaded.valid, domain && fits(*domain, *loaded.image) ? domain : nullptr),
            loaded.info.mapping, loaded.info.pixelSize};
}

LabelSource labelSourceOf(const PageFilter& filter, const OpenRequest& page) {
    return labelsOfImage(QFileInfo(page.path).filesystemFilePath(), page.options(filter.rules.limits));
}

/// Objects of the pages filtered by the document.
class FilteredPages {
public:
    explicit FilteredPages(const FollowedPages& pages) : pages_(pages), jobs_(servicesOf(pages)) {}

    /// @param mapping set to the mapping of the page
    [[nodiscard]] Components find(const OpenRequest& page, const JobContext& context,
                                  std::optional<ValueMapping>& mapping) {
        const PageFilter& filter = pages_.filter;
        requireMemory(page);
        const OpenedPage opened = jobs_.filterPage(page, filter.rules, filter.tree, context);
        const Image& source = *opened.tree.frame.image;
        const JobControl control(context.stop);
        mapping = opened.image.fileInfo ? opened.image.fileInfo->mapping : std::nullopt;
        const ResultValues values = resultValuesOf(filter.tree.filter);
        const ObjectSource objects{source,
                                   opened.image.inside.get(),
                                   mappingAfter(opened.image.mapping, values),
                                   opened.image.fileInfo ? opened.image.fileInfo->pixelSize : std::nullopt,
                                   opened.image.image.get(),
                                   labelSourceOf(filter, page)};
        const LevelRange levels = pages_.rule.levelsOf(source, objects.inside, control, objects.values);
        return objectsOf(pages_.rule, levels, objects, mapping, {opened.tree.engine.engine, pages_.engines.back()},
                         control);
    }

private:
    /// The services of the document with other engines, because selectEngine() of the document must not be called on
    /// this thread.
    static DocumentServices servicesOf(const FollowedPages& pages) {
        DocumentServices services = pages.filter.services;
        services.selectEngine = [&engines = pages.engines](std::string_view name) -> Engine& {
            return name == kFallbackEngine ? *engines.back() : *engines.front();
        };
        return services;
    }
    void requireMemory(const OpenRequest& page) const {
        LoadRules rules = pages_.filter.rules;
        rules.askFirst = true;
        TreeRequest tree = pages_.filter.tree;
        tree.engine = pages_.engines.front()->name();
        const auto plan = jobs_.questionAbout(page, rules, tree);
        if (plan && plan->there.host != 0 && plan->need.host > plan->there.host) {
            throw Error(ErrorCode::outOfMemory, "memory: filtering it needs up to " +
                                                    std::to_string(plan->need.host >> 20U) + " MiB, there are " +
                                                    std::to_string(plan->there.host >> 20U) + " MiB");
        }
    }

    const FollowedPages& pages_;
    DocumentJobs jobs_;
};

} // namespace

Components objectsOf(const ObjectRule& rule, const LevelRange& levels, const ObjectSource& objects,
                     const std::optional<ValueMapping>& greyValues, const std::vector<Engine*>& engines,
                     const JobControl& control, ObjectChoices* choices) {
    Components found;
    onFirstThatWorks(engines,
                     [&](Engine& engine) { found = findObjects(engine, rule, objects, levels, {}, control, choices); });
    sumValues(found, *objects.grey, greyValues, control);
    return found;
}

void findOnPages(const FollowedPages& pages,
                 const std::function<void(Components, const std::optional<ValueMapping>&)>& take,
                 const JobContext& context) {
    const JobControl control(context.stop);
    const auto onPage = [](int number, const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            throw Error(error.code(), "page " + std::to_string(number + 1) + ": " + error.what());
        }
    };
    const int count = pages.along.count;
    const auto each = [&](const auto& work) {
        for (int number = 0; number < count; ++number) {
            control.throwIfStopped();
            OpenRequest page = pages.filter.stack;
            page.page = pages.along.first + number * pages.along.stride;
            const JobContext part =
                context.share(static_cast<double>(number) / count, static_cast<double>(number + 1) / count);
            work(page, part);
        }
    };
    if (pages.filtered) {
        FilteredPages filtered(pages);
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] {
                std::optional<ValueMapping> mapping;
                Components found = filtered.find(page, part, mapping);
                take(std::move(found), mapping);
            });
        });
        return;
    }
    if (!pages.rule.isThreshold()) { // streams make no other masks
        each([&](const OpenRequest& page, const JobContext& part) {
            onPage(page.page, [&] {
                const ReadPage read = readPage(pages.filter, page, part.part(0, 1));
                const ObjectSource objects{*read.image,    read.inside.get(), read.mapping,
                                           read.pixelSize, read.image.get(),  labelSourceOf(pages.filter, page)};
                const LevelRange levels = pages.rule.levelsOf(*read.image, read.inside.get(), control, read.mapping);
                take(objectsOf(pages.rule, levels, objects, read.mapping, pages.engines, control), read.mapping);
            });
        });
        return;
    }
    // While a page is read, an engine finds the objects of the pages before.
    FallbackStream stream(pages.engines, {.connectivity = pages.rule.connectivity, .algorithm = {}}, kMostUnderWay,
                          pages.filter.services.sessionOptions);
    std::deque<std::pair<int, std::optional<ValueMapping>>> underWay; ///< pages with their mappings
    const auto takeOldest = [&] {
        onPage(underWay.front().first, [&] { take(stream.pop(control).components, underWay.front().second); });
        underWay.pop_front();
    };
    each([&](const OpenRequest& page, const JobContext& part) {
        if (stream.isFull()) {
            takeOldest();
        }
        onPage(page.page, [&] {
            const JobControl reading = part.part(0, 1);
            const ReadPage read = readPage(pages.filter, page, reading);
            const LevelRange levels = pages.rule.levelsOf(*read.image, read.inside.get(), reading, read.mapping);
            stream.push({read.image, read.inside, levels.low, levels.high});
            underWay.emplace_back(page.page, read.mapping);
        });
    });
    while (!stream.isEmpty()) {
        takeOldest();
    }
}

} // namespace pollard::vm
