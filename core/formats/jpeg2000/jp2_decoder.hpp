#pragma once

#include "base/job_control.hpp"
#include "io/image_reader.hpp"
#include "io/read_support.hpp"

#include <cstdint>
#include <memory>
#include <openjpeg.h>
#include <string>

namespace pollard {

/// OpenJPEG's decoder on one file. Its messages are captured, not printed.
class Jp2Decoder {
public:
    /// Reads the header. @p reduce is the number of halvings of the size. @throws Error
    Jp2Decoder(const SourceFile& source, int reduce, int threads);
    ~Jp2Decoder() = default;
    Jp2Decoder(const Jp2Decoder&) = delete;
    Jp2Decoder& operator=(const Jp2Decoder&) = delete;

    [[nodiscard]] const opj_image_t& image() const noexcept { return *image_; }
    /// How often the size can be halved: the minimum over all components of the first tile.
    [[nodiscard]] int reductions() const;

    /// Decodes the part [left, right) x [top, bottom) of the reference grid. A stop request takes effect at the next
    /// read. @throws Error(fileDamaged) if data is missing; Cancelled
    void decode(std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom,
                const JobControl& control);

private:
    // Codec and stream are both void* in OpenJPEG.
    struct DeleteCodec {
        void operator()(opj_codec_t* codec) const noexcept { opj_destroy_codec(codec); }
    };
    struct DeleteStream {
        void operator()(opj_stream_t* stream) const noexcept { opj_stream_destroy(stream); }
    };
    struct DeleteImage {
        void operator()(opj_image_t* image) const noexcept { opj_image_destroy(image); }
    };
    /// State of the callbacks.
    struct State {
        FilePointer file;
        std::uint64_t size = 0;
        std::string firstError;
        const JobControl* control = nullptr;
    };

    void makeStream();
    [[noreturn]] void fail(const std::string& what) const;

    static OPJ_SIZE_T onRead(void* buffer, OPJ_SIZE_T bytes, void* state);
    static OPJ_OFF_T onSkip(OPJ_OFF_T bytes, void* state);
    static OPJ_BOOL onSeek(OPJ_OFF_T offset, void* state);
    static void onError(const char* message, void* state);
    static void onMessage(const char* message, void* state);

    const SourceFile& source_;
    std::unique_ptr<State> state_ = std::make_unique<State>();
    std::unique_ptr<opj_stream_t, DeleteStream> stream_;
    std::unique_ptr<opj_codec_t, DeleteCodec> codec_;
    std::unique_ptr<opj_image_t, DeleteImage> image_;
};

} // namespace pollard
