#pragma once

#include "base/buffer.hpp"
#include "chunks/merge/part_values.hpp"
#include "chunks/part_job.hpp"
#include "io/read_support.hpp"
#include "io/write/atomic_file.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pollard {

// Binary files of arrays with checksums, on disk or in memory: a header, then sections of a tag and an array. All
// numbers are little-endian.

static_assert(std::endian::native == std::endian::little);

/// Content of a record file.
enum class RecordKind : std::uint32_t {
    part = 1,
    step = 2,
    results = 3,
    row = 4,
    values = 5,
    decisions = 6,
    leaves = 7
};

/// Name of a section: four letters.
struct SectionTag {
    std::uint32_t number;
    consteval SectionTag(const char (&text)[5]) // NOLINT(google-explicit-constructor)
        : number(0) {
        for (unsigned i = 0; i < 4; ++i) {
            number |= static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])) << (8 * i);
        }
    }
};

/// Target of a record file: a path, or memory to which the file is appended.
class RecordTarget {
public:
    RecordTarget(std::filesystem::path path) : path_(std::move(path)) {}        // NOLINT(google-explicit-constructor)
    RecordTarget(std::vector<std::byte>& memory) noexcept : memory_(&memory) {} // NOLINT(google-explicit-constructor)

private:
    friend class RecordWriter;
    std::filesystem::path path_;
    std::vector<std::byte>* memory_ = nullptr;
};

/// Source of a record file: a path, or memory that outlives the reader.
class RecordSource {
public:
    RecordSource(std::filesystem::path path) : path_(std::move(path)) {} // NOLINT(google-explicit-constructor)
    /// @param name of the content, for messages
    RecordSource(std::span<const std::byte> memory, std::string name) : path_(std::move(name)), memory_(memory) {}

private:
    friend class RecordReader;
    std::filesystem::path path_;
    std::span<const std::byte> memory_;
};

/// Writes a record file. A file at a path appears when it is complete.
class RecordWriter {
public:
    /// @param identity of the job that the file belongs to @throws Error(writeFailed)
    RecordWriter(const RecordTarget& target, RecordKind kind, std::uint64_t identity);

    template <class T> void add(SectionTag tag, std::span<const T> values) {
        static_assert(std::is_trivially_copyable_v<T>);
        addBytes(tag.number, sizeof(T), values.size(), std::as_bytes(values));
    }
    template <class T> void add(SectionTag tag, const Buffer<T>& values) { add(tag, values.span()); }
    template <class T> void add(SectionTag tag, const std::vector<T>& values) { add(tag, std::span<const T>(values)); }

    /// @throws Error(writeFailed)
    void commit();

private:
    void addBytes(std::uint32_t tag, std::size_t elementBytes, std::size_t count, std::span<const std::byte> bytes);
    void write(std::span<const std::byte> bytes);

    std::optional<AtomicFile> file_; ///< without it, memory_ is set
    std::vector<std::byte>* memory_;
};

/// Reads a record file section by section, in the order in which they were written.
class RecordReader {
public:
    /// @throws Error(fileNotFound), Error(fileUnreadable); Error(fileDamaged) for another kind of file or one of
    /// another job
    RecordReader(const RecordSource& source, RecordKind kind, std::uint64_t identity);

    /// @throws Error(fileDamaged) if the next section has another tag or element, is cut off or has another checksum;
    /// Error(outOfMemory)
    template <class T> [[nodiscard]] Buffer<T> take(SectionTag tag) {
        static_assert(std::is_trivially_copyable_v<T>);
        Buffer<T> values(nextCount(tag.number, sizeof(T)));
        readBytes(std::as_writable_bytes(values.span()));
        return values;
    }
    /// As take() for a known number of values.
    template <class T> [[nodiscard]] Buffer<T> take(SectionTag tag, std::size_t count) {
        Buffer<T> values = take<T>(tag);
        require(values.size() == count);
        return values;
    }

    /// @throws Error(fileDamaged) unless @p holds
    void require(bool holds) const;
    /// @throws Error(fileDamaged) if the file continues
    void requireEnd() const;

private:
    [[noreturn]] void fail(const std::string& why) const;
    [[nodiscard]] std::size_t nextCount(std::uint32_t tag, std::size_t elementBytes);
    void readBytes(std::span<std::byte> bytes);

    std::filesystem::path path_;
    FilePointer file_;
    std::uint64_t left_ = 0; ///< bytes
    std::uint32_t checksum_ = 0;
};

/// A 64-bit hash of a text (FNV-1a), for identities.
[[nodiscard]] std::uint64_t hashOf(std::string_view text) noexcept;

/// Text of a job in JSON. @param source identity of the image
[[nodiscard]] std::string textOf(const PartJob& job, std::uint64_t source);

/// A job with the identity of its image.
struct NamedPartJob {
    PartJob job;
    std::uint64_t source = 0;
};
/// @throws Error(invalidArgument) of one line for a text that textOf() does not write
[[nodiscard]] NamedPartJob parsePartJob(std::string_view text);

// Files that belong to one job, see RecordWriter. Reading checks them: a damaged or hostile file cannot lead to an
// access outside of its arrays. @param identity hashOf() the job's text. @throws as RecordWriter and RecordReader

void writePart(const RecordTarget& target, std::uint64_t identity, const Part& part);
[[nodiscard]] Part readPart(const RecordSource& source, std::uint64_t identity, const PartJob& job);

void writeStep(const RecordTarget& target, std::uint64_t identity, const MergeStep& step);
[[nodiscard]] MergeStep readStep(const RecordSource& source, std::uint64_t identity, const PartJob& job);

/// Results of the inputs of a step.
struct StepResults {
    std::vector<PartResults> inputs;
    std::uint64_t nodes = 0; ///< that the step closed
    std::uint64_t kept = 0;  ///< of these, see NodeResult::kStays
};
void writeResults(const RecordTarget& target, std::uint64_t identity, const StepResults& results);
[[nodiscard]] StepResults readResults(const RecordSource& source, std::uint64_t identity, const PartJob& job);

/// Values of the inputs of a step. @param values at least one
void writeValues(const RecordTarget& target, std::uint64_t identity, std::span<const PartValues> values);
[[nodiscard]] std::vector<PartValues> readValues(const RecordSource& source, std::uint64_t identity,
                                                 const PartJob& job);

/// Results of decideStep().
struct StepDecisions {
    Buffer<std::uint8_t> bits; ///< MergeStep::bits; empty if only the open nodes count
    Summaries open;            ///< PartJob::ruleNeeds() of the open nodes
};
void writeDecisions(const RecordTarget& target, std::uint64_t identity, const Buffer<std::uint8_t>& bits,
                    const Summaries& open);
[[nodiscard]] StepDecisions readDecisions(const RecordSource& source, std::uint64_t identity, const PartJob& job);

void writeLeaves(const RecordTarget& target, std::uint64_t identity, const ProminentLeaves& leaves);
/// @param job with FilterSpec::prominent
[[nodiscard]] ProminentLeaves readLeaves(const RecordSource& source, std::uint64_t identity, const PartJob& job);

} // namespace pollard
