#include "jobs/profile_bands.hpp"

#include "analysis/column_summary.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"
#include "command.hpp"
#include "filter/analysis_image.hpp"
#include "filter/filter_columns.hpp"
#include "filter/filter_units.hpp"
#include "filter/node_decision.hpp"
#include "io/metadata/geo_tags.hpp"
#include "io/read_support.hpp"
#include "options/named_files.hpp"
#include "recipe/no_data.hpp"
#include "recipe/results/channel_file.hpp"
#include "recipe/results/result_file.hpp"
#include "recipe/results/result_tags.hpp"
#include "report.hpp"
#include "text.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace pollard::cli {

namespace {

/// A band: a channel, or a filtered channel.
struct Band {
    std::size_t channel = 0;
    std::optional<TreeKind> kind = {}; ///< unset: the channel itself
    std::size_t series = 0;
    int number = 0;                       ///< of the threshold
    std::optional<std::size_t> mean = {}; ///< channel that is averaged over the kept components
};

struct ReadChannel {
    std::string name; ///< empty for the only one of a grey image
    LoadedImage loaded;
    std::unique_ptr<ComponentMeans> ofTree = {}; ///< over the components of the present tree; null until needed
};

std::string_view nameOfKind(TreeKind kind) { return kind == TreeKind::max ? "max" : "min"; }

class ProfileBands {
public:
    ProfileBands(const BandsRequest& request, const Context& context, ProgressLine& progress)
        : request_(request), context_(context), progress_(progress) {
        channels_ = readChannels(request.channels);
        means_ = readChannels(request.means);
        requireAlike();
        for (std::size_t channel = 0; channel < channels_.size(); ++channel) {
            bands_.push_back({channel});
            for (const TreeKind kind : request.kinds) {
                for (std::size_t series = 0; series < request.series.size(); ++series) {
                    addThresholds({channel, kind, series});
                    for (std::size_t mean = 0; mean < means_.size(); ++mean) {
                        addThresholds({channel, kind, series, 0, mean});
                    }
                }
            }
        }
        refuseConflicts({{bands_.size() > std::numeric_limits<std::uint16_t>::max(),
                          "profile: " + std::to_string(bands_.size()) + " bands are more than the 65535 of a file"}});
    }

    void write(Engine& engine) {
        pages_.assign(bands_.size(), {});
        writeBands(engine, progress_.control("filtering and writing", context_.stop));
        forget();
    }

    void print() const {
        Json list = Json::array();
        TextTable table({"band", "name", "kept nodes", "changed pixels"}, "rlrr");
        for (std::size_t i = 0; i < bands_.size(); ++i) {
            list.push_back(fieldsOf(i));
            const bool isFilter = bands_[i].kind && !bands_[i].mean;
            table.add({std::to_string(i), nameOf(bands_[i]), isFilter ? grouped(pages_[i].keptNodes) : "",
                       isFilter ? grouped(pages_[i].changedPixels) : ""});
        }
        Report report;
        report.addImage(request_.image.image, first().extent(), bitsOf(first().type()), request_.target);
        report.fields.update({{"bands", bands_.size()},
                              {"differential", request_.series.front().differential},
                              {"band_list", std::move(list)}});
        table.print(report.text);
        report.addWritten(request_.target);
        report.print(context_);
    }

private:
    [[nodiscard]] const Image& first() const { return *channels_.front().loaded.image; }

    void addThresholds(Band band) {
        for (; band.number < static_cast<int>(request_.series[band.series].thresholds.size()); ++band.number) {
            bands_.push_back(band);
        }
    }

    [[nodiscard]] std::vector<ReadChannel> readChannels(const std::vector<std::string>& names) {
        if (names == std::vector<std::string>{"all"}) {
            return readAll();
        }
        std::vector<ReadChannel> channels;
        for (const std::string& text : names) {
            ImageOptions options = request_.image;
            options.channel = text;
            progress_.setSubject(text);
            const bool isOnlyImage = &names == &request_.channels && names.size() == 1;
            channels.push_back({isOnlyImage ? std::string() : text, loadImage(options, context_, progress_, kReading)});
        }
        progress_.setSubject({});
        return channels;
    }

    void requireAlike() const {
        for (const std::vector<ReadChannel>* channels : {&channels_, &means_}) {
            for (const ReadChannel& channel : *channels) {
                const Image& image = *channel.loaded.image;
                if (image.extent() != first().extent() || image.type() != first().type()) {
                    const std::string& name = channels_.front().name;
                    throw Error(ErrorCode::invalidArgument, "profile: channel " + channel.name +
                                                                " differs in size or depth from " +
                                                                (name.empty() ? "the image" : name));
                }
            }
        }
    }

    /// Changes of grey and means of channels need equal steps of values.
    static constexpr LoadOptions kReading{.proportional = true, .keepSamples = true};

    [[nodiscard]] std::vector<ReadChannel> readAll() {
        std::vector<ReadChannel> channels;
        const std::string path = parseImageArgument(request_.image.image).path.string();
        ReadOptions read = request_.image.readOptions();
        read.threads = context_.common.threads;
        read.mapping.proportional = true;
        read.keepSamples = true;
        ChannelFile file(path, read,
                         {[this](const std::string& channel) {
                              progress_.setSubject(channel);
                              return progress_.control("reading", context_.stop);
                          },
                          [&](const std::string& note) {
                              progress_.clear();
                              printNote(context_, path + ": " + note);
                          }});
        for (std::size_t channel = 0; channel < file.channels().size(); ++channel) {
            channels.push_back({file.channels()[channel].name, file.load(channel)});
        }
        progress_.setSubject({});
        return channels;
    }

    [[nodiscard]] std::string nameOf(const Band& band) const {
        const std::string& channel = channels_[band.channel].name;
        if (!band.kind) {
            return channel.empty() ? "picture" : channel;
        }
        const std::string name = (channel.empty() ? std::string() : channel + " ") +
                                 std::string(nameOfKind(*band.kind)) + " " + toString(criterionOf(band));
        return band.mean ? name + " mean " + means_[*band.mean].name : name;
    }

    [[nodiscard]] Criterion criterionOf(const Band& band) const {
        const ProfileSpec& spec = request_.series[band.series];
        return {spec.attribute, spec.thresholds[static_cast<std::size_t>(band.number)]};
    }

    [[nodiscard]] bool isDifference(const Band& band) const {
        return band.kind && !band.mean && request_.series[band.series].differential;
    }
    /// The channel whose values a band has.
    [[nodiscard]] const LoadedImage& valuesOf(const Band& band) const {
        return band.mean ? means_[*band.mean].loaded : channels_[band.channel].loaded;
    }

    void writeBands(Engine& engine, const JobControl& control) {
        std::vector<SampleValues> samples;
        for (const Band& band : bands_) {
            samples.push_back({isDifference(band) ? ResultValues::differences : ResultValues::levels,
                               valuesOf(band).info.mapping, nameOf(band)});
        }
        const ImageInfo& source = channels_.front().loaded.info;
        const bool isArray = namesArray(request_.target);
        ResultSamples written = samplesOfBands();
        if (isArray) {
            written.mark.reset();
        }
        const BandLayout how = isArray ? BandLayout::pages : layoutFor(source);
        TiffWriteOptions stored{.compression = request_.compression};
        stored.samples.planar = how == BandLayout::planes;
        PlaneFacts common = pageFacts(source, samples, written);
        if (how == BandLayout::pages) {
            StackAxis bands{'c', static_cast<int>(samples.size()), {}};
            std::ranges::transform(samples, std::back_inserter(bands.labels), &SampleValues::name);
            common.scene.axes = {std::move(bands)};
        } else {
            stored.samples.samples = static_cast<int>(bands_.size());
        }
        const auto make = [&](int number, const JobControl& job) {
            const auto band = static_cast<std::size_t>(number);
            LoadedImage scale = valuesOf(bands_[band]); // with the pixels with data of the tree
            scale.valid = channels_[bands_[band].channel].loaded.valid;
            Plane plane{ownedRows(this->make(band, engine, job), scale, samples[band].values, written), common};
            if (how == BandLayout::pages) {
                plane.facts.carried = pageFacts(source, std::span(samples).subspan(band, 1), written).carried;
            }
            return plane;
        };
        writeResult(request_.target, {static_cast<int>(bands_.size()), make}, control, stored);
    }

    /// One type and mark for all bands.
    [[nodiscard]] ResultSamples samplesOfBands() const {
        UsedLevels used;
        for (const std::vector<ReadChannel>* channels : {&channels_, &means_}) {
            for (const ReadChannel& channel : *channels) {
                used.add(channel.loaded);
            }
        }
        std::vector<ResultValues> values{ResultValues::levels};
        for (const ProfileSpec& spec : request_.series) {
            values.push_back(resultValuesOf(spec));
        }
        if (!means_.empty()) {
            values.push_back(ResultValues::between);
        }
        return used.samplesFor(values);
    }

    [[nodiscard]] BandLayout layoutFor(const ImageInfo& source) const {
        if (request_.layout) {
            return *request_.layout;
        }
        if (!hasPlace(source.carried)) {
            return BandLayout::pages;
        }
        const std::uint64_t bytes = first().bytes() * bands_.size();
        if (bytes <= availableMemory() / 2) {
            return BandLayout::pixels;
        }
        printNote(context_, "the bands exceed half of the memory: written as planes, which libvips and ImageJ read "
                            "wrongly; see --bands-as");
        return BandLayout::planes;
    }

    [[nodiscard]] std::shared_ptr<const Image> make(std::size_t index, Engine& engine, const JobControl& control) {
        const Band& band = bands_[index];
        const LoadedImage& loaded = channels_[band.channel].loaded;
        if (!band.kind) {
            forget();
            return loaded.image;
        }
        if (!built_ || kind_ != band.kind) {
            forget();
            kind_ = band.kind;
            TreeSpec spec = request_.tree.spec();
            spec.kind = *band.kind;
            built_ = buildTree(engine, spec, loaded, context_, progress_);
        }
        auto out = std::make_shared<Image>(loaded.image->type(), loaded.image->extent());
        if (band.mean) {
            paintMeans(band, *out, control);
            if (loaded.valid) {
                restoreOutside(*valuesOf(band).image, *loaded.valid, Output::filtered, *out, control);
            }
        } else {
            if (band.number == 0) {
                profile_ = std::make_unique<AttributeProfile>(*built_->session, loaded.image,
                                                              request_.series[band.series], loaded.info.mapping);
            }
            pages_[index] = profile_->page(band.number, *out, control);
        }
        return out;
    }

    void paintMeans(const Band& band, Image& out, const JobControl& control) {
        if (means_[*band.mean].ofTree == nullptr) {
            means_[*band.mean].ofTree =
                std::make_unique<ComponentMeans>(built_->session->tree(), *means_[*band.mean].loaded.image,
                                                 means_[*band.mean].loaded.valid.get(), control.withoutProgress());
        }
        FilterSpec filter;
        filter.criteria = {inPixels(criterionOf(band), channels_[band.channel].loaded.info)};
        const FilterColumns columns = columnsOf(
            filter, [&](AttributeId id) { return built_->session->attribute(id, control.withoutProgress()); });
        const Buffer<std::uint8_t> keep =
            meetCriteria(filter, columns, built_->session->tree()->nodeCount(), control.withoutProgress());
        means_[*band.mean].ofTree->paint(keep.span(), out, control.withoutProgress());
    }

    void forget() {
        for (ReadChannel& channel : means_) {
            channel.ofTree.reset();
        }
        profile_.reset();
        built_.reset();
    }

    [[nodiscard]] Json fieldsOf(std::size_t index) const {
        const Band& band = bands_[index];
        Json object{{"name", nameOf(band)}};
        if (!channels_[band.channel].name.empty()) {
            object["channel"] = channels_[band.channel].name;
        }
        if (band.kind) {
            object["tree"] = nameOfKind(*band.kind);
            object["attribute"] = attributeInfo(request_.series[band.series].attribute).name;
            object["threshold"] = criterionOf(band).minimum;
        }
        if (band.mean) {
            object["mean_of"] = means_[*band.mean].name;
        } else if (band.kind) {
            object["kept"] = pages_[index].keptNodes;
            object["changed_pixels"] = pages_[index].changedPixels;
            object["changed_mass"] = massJson(pages_[index].changedMass, channels_[band.channel].loaded.info.mapping);
        }
        return object;
    }

    const BandsRequest& request_;
    const Context& context_;
    ProgressLine& progress_;
    std::vector<ReadChannel> channels_;
    std::vector<ReadChannel> means_;
    std::vector<Band> bands_;
    std::vector<ProfilePage> pages_; ///< of the bands
    std::optional<TreeKind> kind_;
    std::optional<SessionTree> built_; ///< of the channel that is being written
    std::unique_ptr<AttributeProfile> profile_;
};

} // namespace

std::vector<std::string> channelList(const std::string& text) {
    std::vector<std::string> list(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ',' && depth == 0) {
            list.emplace_back();
        } else if (c != ' ' || !list.back().empty()) {
            list.back() += c;
        }
    }
    return list;
}

void writeProfileBands(const BandsRequest& request, const Context& context) {
    const std::vector<Engine*> engines = enginesWith(context, request.tree.algorithm);
    requireTiffName(request.target, true);
    requireOutputs(request.image.image, {{request.target, "the result"}});
    ThreadArena arena(context.common.threads);
    ProgressLine progress(context.err, context.showProgress, context.pace);
    ProfileBands bands(request, context, progress);
    onFirstThatWorks(engines, context, [&](Engine& engine) { arena.execute([&] { bands.write(engine); }); });
    progress.clear();
    bands.print();
}

} // namespace pollard::cli
