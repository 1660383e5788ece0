// Zarr in zip files, byte for byte.
#include "core/io/io_support.hpp"
#include "core/io/io_volume_files.hpp"

#include "formats/zarr/zarr_store.hpp"
#include "io/write/imagej_roi.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pollard::test {

namespace {

using ::testing::HasSubstr;

template <class T> std::string number(std::uint64_t value) { return bytesOfNumber(static_cast<T>(value), false); }

/// How an entry is written.
struct EntryForm {
    bool deflates = false;
    bool is64 = false;           ///< sizes and position stand in the zip64 field
    std::string localExtra = {}; ///< a field of the local header alone
    std::uint16_t flags = 0;
    std::uint16_t method = 0; ///< if it is neither stored nor deflated
};

/// A zip file in memory. (PKWARE, "APPNOTE.TXT - .ZIP File Format Specification")
class Archive {
public:
    void add(const std::string& name, const std::string& content, const EntryForm& form = {}) {
        constexpr std::uint64_t kIn64 = 0xffff'ffff;
        const std::string zlib = deflated(content, false);
        const std::string data = form.deflates ? zlib.substr(2, zlib.size() - 6) : content; // raw Deflate
        const std::uint64_t offset = bytes_.size();
        const auto facts = [&](bool is64, std::size_t extra) {
            const std::uint16_t method = form.method != 0 ? form.method : form.deflates ? 8 : 0;
            return number<std::uint16_t>(45) + number<std::uint16_t>(form.flags) + number<std::uint16_t>(method) +
                   number<std::uint32_t>(0) + number<std::uint32_t>(crc32Of(std::as_bytes(std::span(content)))) +
                   number<std::uint32_t>(is64 ? kIn64 : data.size()) +
                   number<std::uint32_t>(is64 ? kIn64 : content.size()) + number<std::uint16_t>(name.size()) +
                   number<std::uint16_t>(extra);
        };
        bytes_ += "PK\3\4" + facts(false, form.localExtra.size()) + name + form.localExtra;
        lastData_ = bytes_.size();
        bytes_ += data;
        std::string extra;
        if (form.is64) { // after a field of another kind
            extra = number<std::uint16_t>(0x7777) + number<std::uint16_t>(3) + "abc" + number<std::uint16_t>(1) +
                    number<std::uint16_t>(24) + number<std::uint64_t>(content.size()) +
                    number<std::uint64_t>(data.size()) + number<std::uint64_t>(offset);
        }
        directory_ += "PK\1\2" + number<std::uint16_t>(45) + facts(form.is64, extra.size()) + std::string(10, '\0') +
                      number<std::uint32_t>(form.is64 ? kIn64 : offset) + name + extra;
        ++entries_;
    }

    /// @param is64 the directory's place stands in the record of zip64
    [[nodiscard]] std::string bytes(bool is64 = false, const std::string& comment = {}) const {
        std::string out = bytes_ + directory_;
        if (is64) {
            const std::uint64_t end = out.size();
            out += "PK\6\6" + number<std::uint64_t>(44) + number<std::uint32_t>(0) + number<std::uint64_t>(0) +
                   number<std::uint64_t>(entries_) + number<std::uint64_t>(entries_) +
                   number<std::uint64_t>(directory_.size()) + number<std::uint64_t>(bytes_.size());
            out += "PK\6\7" + number<std::uint32_t>(0) + number<std::uint64_t>(end) + number<std::uint32_t>(1);
        }
        const std::uint64_t in64 = 0xffff'ffff;
        return out + "PK\5\6" + number<std::uint32_t>(0) + number<std::uint16_t>(entries_) +
               number<std::uint16_t>(entries_) + number<std::uint32_t>(is64 ? in64 : directory_.size()) +
               number<std::uint32_t>(is64 ? in64 : bytes_.size()) + number<std::uint16_t>(comment.size()) + comment;
    }

    /// Position of the data of the last entry.
    [[nodiscard]] std::size_t lastData() const noexcept { return lastData_; }

private:
    std::string bytes_;
    std::string directory_;
    std::uint64_t entries_ = 0;
    std::size_t lastData_ = 0;
};

constexpr const char* kArray =
    R"({"zarr_format": 2, "shape": [2, 8], "chunks": [2, 8], "dtype": "|u1", "fill_value": 5, "order": "C",)"
    R"( "filters": null, "compressor": null})";
constexpr const char* kSamples = "samplessamplesss";

/// An image in a zip file.
Archive archiveOf(const EntryForm& form = {}, const std::string& folder = {}) {
    Archive archive;
    archive.add(folder + ".zarray", kArray);
    archive.add(folder + "0.0", kSamples, form);
    return archive;
}

TEST(ZipStore, ReadsEntriesInAllForms) {
    const TempDir dir;
    const std::string samples = kSamples;
    for (const bool deflates : {false, true}) {
        for (const EntryForm& form : {EntryForm{.deflates = deflates}, EntryForm{.deflates = deflates, .is64 = true},
                                      EntryForm{.deflates = deflates, .localExtra = "\x77\x77\2\1ab"}}) {
            writeBytes(dir / "p.zip", archiveOf(form).bytes(form.is64, form.is64 ? std::string(65535, 'c') : ""));
            const auto store = openZipStore(dir / "p.zip");
            EXPECT_EQ(textOfKey(*store, "0.0", 100), samples);
            EXPECT_EQ(store->find("0.1"), nullptr);
            const auto value = store->find("0.0");
            for (std::size_t first = 0; first < samples.size(); ++first) {
                std::string part(samples.size() - first, '\0');
                value->read(first, std::as_writable_bytes(std::span(part)));
                EXPECT_EQ(part, samples.substr(first));
            }
            const LoadedImage loaded = readImage(dir / "p.zip");
            EXPECT_EQ(levelsOf(*loaded.image), std::vector<std::uint16_t>(samples.begin(), samples.end()));
        }
    }
}

TEST(ZipStore, FindsDamageByTheChecksum) {
    const TempDir dir;
    const auto failureOf = [&](const std::string& bytes) {
        writeBytes(dir / "p.zip", bytes);
        std::string message;
        EXPECT_EQ(readFailure(dir / "p.zip", {}, &message), ErrorCode::fileDamaged);
        return message;
    };
    const Archive stored = archiveOf();
    for (std::size_t i = 0; i < std::string(kSamples).size(); ++i) {
        std::string bytes = stored.bytes();
        bytes[stored.lastData() + i] ^= 1;
        EXPECT_THAT(failureOf(bytes), HasSubstr("the checksum of an entry of the zip file is wrong"));
    }
    const Archive packed = archiveOf({.deflates = true});
    std::string bytes = packed.bytes();
    const std::string samples = kSamples;
    const std::string crc = number<std::uint32_t>(crc32Of(std::as_bytes(std::span(samples))));
    ASSERT_NE(bytes.rfind(crc), std::string::npos);
    bytes[bytes.rfind(crc)] ^= 1; // in the directory
    EXPECT_THAT(failureOf(bytes), HasSubstr("the checksum of an entry of the zip file is wrong"));
}

TEST(ZipStore, RefusesEntriesThatItCannotRead) {
    const TempDir dir;
    for (const EntryForm& form : {EntryForm{.flags = 1}, EntryForm{.method = 12}}) {
        writeBytes(dir / "p.zip", archiveOf(form).bytes());
        std::string message;
        EXPECT_EQ(readFailure(dir / "p.zip", {}, &message), ErrorCode::formatUnsupported);
        EXPECT_THAT(message, HasSubstr("must be stored or deflated, and not encrypted"));
    }
}

TEST(ZipStore, EveryPrefixIsRefused) {
    const TempDir dir;
    const std::string whole = archiveOf({.deflates = true, .is64 = true}).bytes(true);
    for (std::size_t length = 4; length < whole.size(); ++length) {
        writeBytes(dir / "p.zip", whole.substr(0, length));
        ASSERT_NE(readFailure(dir / "p.zip"), std::nullopt) << length << " of " << whole.size();
    }
}

TEST(ZipStore, TakesTheFirstOfItsFolders) {
    const TempDir dir;
    for (const bool reverses : {false, true}) {
        Archive archive;
        for (const char* const name : {reverses ? "b.zarr/" : "a.zarr/", reverses ? "a.zarr/" : "b.zarr/"}) {
            archive.add(name + std::string(".zarray"), kArray);
            archive.add(name + std::string("0.0"), std::string(16, name[0]));
        }
        writeBytes(dir / "p.zip", archive.bytes());
        EXPECT_EQ(readImage(dir / "p.zip").image->level(0), 'a');
    }
}

} // namespace

} // namespace pollard::test
