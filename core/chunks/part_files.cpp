#include "chunks/part_files.hpp"

#include "base/error.hpp"
#include "recipe/step_records.hpp"
#include "json/json_file.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <zlib.h>

namespace pollard {

namespace {

constexpr std::array<char, 8> kMagic{'P', 'o', 'l', 'P', 'a', 'r', 't', 's'};
constexpr std::uint32_t kVersion = 1;

struct Header {
    std::array<char, 8> magic;
    std::uint32_t version;
    std::uint32_t kind;
    std::uint64_t identity;
};
static_assert(sizeof(Header) == 24);

struct SectionHeader {
    std::uint32_t tag;
    std::uint32_t elementBytes;
    std::uint64_t count;
    std::uint32_t checksum;    ///< CRC-32 of the values
    std::uint32_t ownChecksum; ///< CRC-32 of the bytes before
};
static_assert(sizeof(SectionHeader) == 24);
constexpr std::size_t kOwnChecksumAt = 20;

std::uint32_t checksumOf(std::span<const std::byte> bytes) noexcept {
    constexpr std::size_t kPiece = std::size_t{1} << 30; // zlib counts in 32 bits
    uLong sum = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
        const std::size_t count = std::min(kPiece, bytes.size() - at);
        sum = crc32(sum, reinterpret_cast<const Bytef*>(bytes.data() + at), static_cast<uInt>(count));
    }
    return static_cast<std::uint32_t>(sum);
}

std::uint32_t checksumOf(const SectionHeader& header) noexcept {
    return checksumOf(std::as_bytes(std::span(&header, 1)).first(kOwnChecksumAt));
}

constexpr std::uint64_t kJobVersion = 1;
constexpr std::uint64_t kMostSide = std::numeric_limits<std::uint32_t>::max();
constexpr JsonLimits kJobLimits{};

struct JobRecord {
    std::uint64_t version = kJobVersion;
    std::vector<std::uint32_t> image;
    std::vector<std::uint32_t> chunk;
    std::uint32_t bits = 8;
    TreeKind tree = TreeKind::max;
    Connectivity connectivity = Connectivity::four;
    FilterSpec filter;
    std::string source;
    std::optional<std::uint64_t> noData;  ///< mark of PartJob::written in levels
    std::optional<std::uint64_t> samples; ///< ValueType of PartJob::written; unset for levels
    std::optional<std::string> mark;      ///< of these samples; may be too large for a number of JSON
    std::optional<double> sumOffset;      ///< of PartJob::sums
    std::optional<double> sumStep;
};

constexpr auto kJobRecord = json::record<JobRecord>(
    json::field("version", &JobRecord::version, json::Whole{kJobVersion, kJobVersion}),
    json::field("picture", &JobRecord::image, json::WholeList{kMostSide}),
    json::field("chunk", &JobRecord::chunk, json::WholeList{kMostSide}),
    json::field("bits", &JobRecord::bits, json::Whole{8, 16}),
    json::field("tree", &JobRecord::tree, json::names("max", "min")),
    json::field("connectivity", &JobRecord::connectivity, json::Neighbours{true}),
    json::field("filter", &JobRecord::filter, json::kFilterSpec),
    json::field("source", &JobRecord::source, json::Line{}),
    json::field("no_data", &JobRecord::noData, json::optionalOf(json::Whole{0, kMostSide})).omitted(),
    json::field("samples", &JobRecord::samples, json::optionalOf(json::Whole{0, static_cast<int>(ValueType::u16)}))
        .omitted(),
    json::field("mark", &JobRecord::mark, json::optionalOf(json::Line{})).omitted(),
    json::field("sum_offset", &JobRecord::sumOffset, json::optionalOf(json::Number{})).omitted(),
    json::field("sum_step", &JobRecord::sumStep, json::optionalOf(json::Number{})).omitted());

std::vector<std::uint32_t> sidesOf(const Extent& extent) { return {extent.width, extent.height, extent.slices}; }

Extent extentOf(const std::vector<std::uint32_t>& sides, const JsonPlace& place) {
    if (sides.size() != 3) {
        place.fail("expected three sides");
    }
    return {sides[0], sides[1], sides[2]};
}

/// A number that does not fit a double, as text.
std::uint64_t numberIn(const std::string& text, const JsonPlace& place) {
    std::uint64_t number = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (problem != std::errc{} || end != text.data() + text.size()) {
        place.fail("'" + text + "': expected a whole number");
    }
    return number;
}

/// Whether every node has a smaller parent, or none.
bool areParents(const Buffer<std::uint32_t>& parent) {
    for (std::size_t i = 0; i < parent.size(); ++i) {
        if (parent[i] != Part::kNone && parent[i] >= i) {
            return false;
        }
    }
    return true;
}

bool areBelow(const Buffer<std::uint32_t>& numbers, std::size_t end) {
    return std::ranges::all_of(numbers.span(), [end](std::uint32_t number) { return number < end; });
}

} // namespace

RecordWriter::RecordWriter(const RecordTarget& target, RecordKind kind, std::uint64_t identity)
    : memory_(target.memory_) {
    if (memory_ == nullptr) {
        file_.emplace(target.path_, "cannot write part");
    }
    const Header header{kMagic, kVersion, static_cast<std::uint32_t>(kind), identity};
    write(std::as_bytes(std::span(&header, 1)));
}

void RecordWriter::write(std::span<const std::byte> bytes) {
    if (memory_ != nullptr) {
        memory_->insert(memory_->end(), bytes.begin(), bytes.end());
    } else if (!bytes.empty()) {
        file_->writeAll(bytes.data(), bytes.size());
    }
}

void RecordWriter::addBytes(std::uint32_t tag, std::size_t elementBytes, std::size_t count,
                            std::span<const std::byte> bytes) {
    SectionHeader header{tag, static_cast<std::uint32_t>(elementBytes), count, checksumOf(bytes), 0};
    header.ownChecksum = checksumOf(header);
    write(std::as_bytes(std::span(&header, 1)));
    write(bytes);
}

void RecordWriter::commit() {
    if (file_) {
        file_->commit();
    }
}

RecordReader::RecordReader(const RecordSource& source, RecordKind kind, std::uint64_t identity)
    : path_(source.path_), file_(nullptr) {
    if (source.memory_.empty()) {
        left_ = openSource(path_).size;
        file_ = openForReading(path_);
    } else {
        left_ = source.memory_.size();
        file_ = openForReading(SourceFile{path_, left_, {}, source.memory_});
    }
    Header header{};
    if (left_ < sizeof header || std::fread(&header, sizeof header, 1, file_.get()) != 1 || header.magic != kMagic) {
        fail("no file of parts");
    }
    left_ -= sizeof header;
    if (header.version != kVersion) {
        fail("version " + std::to_string(header.version) + " is not known");
    }
    if (header.kind != static_cast<std::uint32_t>(kind)) {
        fail("another kind of part is expected here");
    }
    if (header.identity != identity) {
        fail("belongs to another job: another image, filter or size of chunks");
    }
}

void RecordReader::require(bool holds) const {
    if (!holds) {
        fail("contradicts itself");
    }
}

void RecordReader::requireEnd() const {
    if (left_ != 0) {
        fail("has more bytes than its sections");
    }
}

void RecordReader::fail(const std::string& why) const {
    throw Error(ErrorCode::fileDamaged, "cannot read part: " + path_.string() + ": " + why);
}

std::size_t RecordReader::nextCount(std::uint32_t tag, std::size_t elementBytes) {
    SectionHeader header{};
    if (left_ < sizeof header || std::fread(&header, sizeof header, 1, file_.get()) != 1) {
        fail("is cut off");
    }
    left_ -= sizeof header;
    if (header.ownChecksum != checksumOf(header) || header.tag != tag || header.elementBytes != elementBytes) {
        fail("is damaged");
    }
    if (header.count > left_ / elementBytes) {
        fail("is cut off");
    }
    checksum_ = header.checksum;
    return static_cast<std::size_t>(header.count);
}

void RecordReader::readBytes(std::span<std::byte> bytes) {
    if (!bytes.empty() && std::fread(bytes.data(), bytes.size(), 1, file_.get()) != 1) {
        fail("is cut off");
    }
    left_ -= bytes.size();
    if (checksumOf(bytes) != checksum_) {
        fail("is damaged");
    }
}

std::uint64_t hashOf(std::string_view text) noexcept {
    std::uint64_t hash = 0xcbf2'9ce4'8422'2325ULL;
    for (const char letter : text) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100'0000'01b3ULL;
    }
    return hash;
}

std::string textOf(const PartJob& job, std::uint64_t source) {
    JobRecord record{kJobVersion,
                     sidesOf(job.grid.whole()),
                     sidesOf(job.grid.chunkExtent()),
                     static_cast<std::uint32_t>(bitsOf(job.type)),
                     job.kind,
                     job.connectivity,
                     job.filter,
                     std::to_string(source),
                     {},
                     {},
                     {},
                     {},
                     {}};
    if (job.sums) {
        record.sumOffset = job.sums->offset;
        record.sumStep = job.sums->step;
    }
    const ResultSamples& written = job.written;
    if (written.type == valueTypeOf(job.type)) {
        record.noData = written.mark;
    } else {
        record.samples = static_cast<std::uint64_t>(written.type);
        record.mark = written.mark ? std::optional(std::to_string(*written.mark)) : std::nullopt;
    }
    return readableText(kJobRecord.write(record));
}

NamedPartJob parsePartJob(std::string_view text) {
    const JsonPlace place{"job of parts", {}};
    const nlohmann::json json = parseJson(text, place.kind, kJobLimits);
    JobRecord record;
    kJobRecord.read(json, place, record);
    if (record.bits != 8 && record.bits != 16) {
        place.at("bits").fail("expected 8 or 16");
    }
    const ChunkGrid grid(extentOf(record.image, place.at("picture")), extentOf(record.chunk, place.at("chunk")));
    const PixelType type = record.bits == 8 ? PixelType::u8 : PixelType::u16;
    PartJob job = partJob(grid, type, record.tree, record.connectivity, std::move(record.filter));
    job.written.mark = record.noData;
    if (record.samples) {
        job.written = {static_cast<ValueType>(*record.samples), {}};
    }
    if (record.sumOffset && record.sumStep) {
        job.sums = ValueSums{*record.sumOffset, *record.sumStep};
    }
    if (record.mark) {
        job.written.mark = numberIn(*record.mark, place.at("mark"));
    }
    return {std::move(job), numberIn(record.source, place.at("source"))};
}

void writePart(const RecordTarget& target, std::uint64_t identity, const Part& part) {
    RecordWriter file(target, RecordKind::part, identity);
    file.add("heig", part.height);
    file.add("pare", part.parent);
    part.own.forEachColumn(
        [&]<class Kind>(Kind, const Buffer<typename Kind::Value>& column) { file.add("sums", column); });
    std::vector<std::uint64_t> chunks;
    std::vector<std::uint8_t> directions;
    for (const Seam& seam : part.seams) {
        chunks.push_back(seam.chunk);
        directions.push_back(seam.direction.index);
    }
    file.add("chun", chunks);
    file.add("dire", directions);
    for (const Seam& seam : part.seams) {
        file.add("seam", seam.node);
    }
    file.commit();
}

Part readPart(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::part, identity);
    Part part;
    part.height = file.take<std::uint16_t>("heig");
    const std::size_t count = part.height.size();
    file.require(count < Part::kNone);
    part.parent = file.take<std::uint32_t>("pare", count);
    file.require(areParents(part.parent));
    part.own = Summaries(job.needs, 0);
    part.own.fill(count, [&]<class Kind>(Kind) { return file.take<typename Kind::Value>("sums", count); });
    const Buffer<std::uint64_t> chunks = file.take<std::uint64_t>("chun");
    const Buffer<std::uint8_t> directions = file.take<std::uint8_t>("dire", chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const Direction direction{directions[i]};
        file.require(chunks[i] < job.grid.count() && directions[i] < Direction::kCount &&
                     direction.joins(job.connectivity) && job.grid.neighbour(chunks[i], direction));
        const std::size_t pixels = SeamLayer::of(job.grid.boxOf(chunks[i]).extent, direction).extent.pixelCount();
        part.seams.push_back({chunks[i], direction, file.take<std::uint32_t>("seam", pixels)});
        file.require(areBelow(part.seams.back().node, count));
    }
    file.requireEnd();
    return part;
}

void writeStep(const RecordTarget& target, std::uint64_t identity, const MergeStep& step) {
    RecordWriter file(target, RecordKind::step, identity);
    file.add("heig", step.height);
    file.add("pare", step.parent);
    file.add("bits", step.bits);
    file.add("open", step.openNode);
    file.add("firs", step.first);
    for (const Buffer<LeafMeasure>& leaves : step.leaves) {
        if (!leaves.empty()) {
            file.add("leav", leaves);
        }
    }
    file.add("valu", step.values);
    const std::array<std::uint64_t, 1> inputs{step.nodeOfInput.size()};
    file.add("inpu", std::span<const std::uint64_t>(inputs));
    for (const Buffer<std::uint32_t>& nodes : step.nodeOfInput) {
        file.add("node", nodes);
    }
    file.commit();
}

MergeStep readStep(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::step, identity);
    MergeStep step;
    step.height = file.take<std::uint16_t>("heig");
    const std::size_t count = step.height.size();
    step.parent = file.take<std::uint32_t>("pare", count);
    step.bits = file.take<std::uint8_t>("bits", count);
    step.openNode = file.take<std::uint32_t>("open", count);
    step.first = file.take<std::uint64_t>("firs", job.needs.has<FirstPixel>() ? count : 0);
    for (const Prominence measure : kAllProminences) {
        if (job.values.has(measure) && count > 0) {
            step.leaves[static_cast<std::size_t>(measure)] = file.take<LeafMeasure>("leav", count);
        }
    }
    step.values = file.take<double>("valu", count * job.measured.size());
    file.require(count < Part::kNone && areParents(step.parent));
    std::uint32_t open = 0;
    for (const std::uint32_t node : step.openNode) {
        file.require(node == Part::kNone || node == open++);
    }
    const Buffer<std::uint64_t> inputs = file.take<std::uint64_t>("inpu", 1);
    for (std::uint64_t i = 0; i < inputs[0]; ++i) {
        step.nodeOfInput.push_back(file.take<std::uint32_t>("node"));
        file.require(areBelow(step.nodeOfInput.back(), count));
    }
    file.requireEnd();
    return step;
}

void writeResults(const RecordTarget& target, std::uint64_t identity, const StepResults& results) {
    RecordWriter file(target, RecordKind::results, identity);
    const std::array<std::uint64_t, 3> counts{results.inputs.size(), results.nodes, results.kept};
    file.add("coun", std::span<const std::uint64_t>(counts));
    for (const PartResults& part : results.inputs) {
        file.add("heig", part.height);
        file.add("flag", part.flags);
        file.add("comp", part.component);
    }
    file.commit();
}

StepResults readResults(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::results, identity);
    const Buffer<std::uint64_t> counts = file.take<std::uint64_t>("coun", 3);
    StepResults results{{}, counts[1], counts[2]};
    for (std::uint64_t i = 0; i < counts[0]; ++i) {
        PartResults& part = results.inputs.emplace_back();
        part.height = file.take<std::uint16_t>("heig");
        part.flags = file.take<std::uint8_t>("flag", part.height.size());
        part.component = file.take<std::uint64_t>("comp", job.filter.output == Output::labels ? part.height.size() : 0);
    }
    file.requireEnd();
    return results;
}

void writeValues(const RecordTarget& target, std::uint64_t identity, std::span<const PartValues> values) {
    RecordWriter file(target, RecordKind::values, identity);
    file.add("last", std::span<const LeafMeasure>(&values.front().lastProminent, 1));
    std::vector<std::uint64_t> counts;
    std::ranges::transform(values, std::back_inserter(counts), &PartValues::count);
    file.add("coun", counts);
    for (const PartValues& part : values) {
        for (const Buffer<LeafMeasure>& column : part.extinction) {
            file.add("exti", column);
        }
        file.add("dept", part.depth);
    }
    file.commit();
}

std::vector<PartValues> readValues(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::values, identity);
    const Buffer<LeafMeasure> last = file.take<LeafMeasure>("last", 1);
    const Buffer<std::uint64_t> counts = file.take<std::uint64_t>("coun");
    file.require(!counts.empty());
    std::vector<PartValues> values;
    for (const std::uint64_t count : counts) {
        PartValues& part = values.emplace_back();
        part.lastProminent = last[0];
        part.count = count;
        for (const Prominence measure : kAllProminences) {
            part.extinction[static_cast<std::size_t>(measure)] =
                file.take<LeafMeasure>("exti", job.values.has(measure) ? count : 0);
        }
        part.depth = file.take<std::uint32_t>("dept", job.values.depth ? count : 0);
    }
    file.requireEnd();
    return values;
}

void writeDecisions(const RecordTarget& target, std::uint64_t identity, const Buffer<std::uint8_t>& bits,
                    const Summaries& open) {
    RecordWriter file(target, RecordKind::decisions, identity);
    file.add("bits", bits);
    const std::array<std::uint64_t, 1> nodes{open.size()};
    file.add("coun", std::span<const std::uint64_t>(nodes));
    open.forEachColumn([&]<class Kind>(Kind, const Buffer<typename Kind::Value>& column) { file.add("sums", column); });
    file.commit();
}

StepDecisions readDecisions(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::decisions, identity);
    StepDecisions decisions{file.take<std::uint8_t>("bits"), Summaries(job.ruleNeeds(), 0)};
    const Buffer<std::uint64_t> nodes = file.take<std::uint64_t>("coun", 1);
    decisions.open.fill(nodes[0], [&]<class Kind>(Kind) { return file.take<typename Kind::Value>("sums", nodes[0]); });
    file.requireEnd();
    return decisions;
}

void writeLeaves(const RecordTarget& target, std::uint64_t identity, const ProminentLeaves& leaves) {
    RecordWriter file(target, RecordKind::leaves, identity);
    file.add("leav", leaves.leaves());
    file.commit();
}

ProminentLeaves readLeaves(const RecordSource& source, std::uint64_t identity, const PartJob& job) {
    RecordReader file(source, RecordKind::leaves, identity);
    ProminentLeaves leaves(job.filter.prominent->count);
    const Buffer<LeafMeasure> saved = file.take<LeafMeasure>("leav");
    file.require(saved.size() <= job.filter.prominent->count);
    for (const LeafMeasure& leaf : saved) {
        leaves.add(leaf);
    }
    file.requireEnd();
    return leaves;
}

} // namespace pollard
