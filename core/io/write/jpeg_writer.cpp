#include "io/write/atomic_file.hpp"
#include "io/write/rgb_writer.hpp"

#include "base/error.hpp"

#include <array>
#include <csetjmp>
#include <cstdio>
#include <exception>
#include <string>

#include <jpeglib.h>

#include <jerror.h>

namespace pollard {

namespace {

constexpr const char* kWhat = "cannot write JPEG";
constexpr int kQuality = 95;

/// libjpeg's encoder, with the rule for libpng: each member that calls the library sets its own jump target and has no
/// object with a destructor.
class JpegRgbWriter : public RgbWriter {
public:
    JpegRgbWriter(const std::filesystem::path& path, std::uint32_t width, std::uint32_t height, int samples)
        : RgbWriter(kWhat, path, width, height, static_cast<std::size_t>(samples)), file_(path, kWhat),
          samples_(samples) {
        if (width > JPEG_MAX_DIMENSION || height > JPEG_MAX_DIMENSION) {
            throw Error(ErrorCode::invalidArgument, std::string(kWhat) + ": " + path.string() + ": " +
                                                        std::to_string(width) + " x " + std::to_string(height) +
                                                        " px; its sides have at most " +
                                                        std::to_string(JPEG_MAX_DIMENSION) + " px");
        }
        encoder_.err = jpeg_std_error(&errors_);
        encoder_.client_data = this;
        errors_.error_exit = onError;
        errors_.emit_message = [](j_common_ptr, int) {};
        destination_.init_destination = onStart;
        destination_.empty_output_buffer = onFull;
        destination_.term_destination = onEnd;
        if (!begin()) {
            jpeg_destroy_compress(&encoder_);
            rethrow();
        }
    }
    ~JpegRgbWriter() override { jpeg_destroy_compress(&encoder_); }
    JpegRgbWriter(const JpegRgbWriter&) = delete;
    JpegRgbWriter& operator=(const JpegRgbWriter&) = delete;

private:
    void writeRows(std::span<const std::uint8_t> rows) override {
        if (!putRows(rows.data(), rows.size() / rowBytes())) {
            rethrow();
        }
    }
    void end() override {
        if (!putEnd()) {
            rethrow();
        }
        file_.commit();
    }

    bool begin() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_create_compress(&encoder_);
        encoder_.dest = &destination_;
        encoder_.image_width = width();
        encoder_.image_height = height();
        encoder_.input_components = samples_;
        encoder_.in_color_space = samples_ == 1 ? JCS_GRAYSCALE : JCS_RGB;
        jpeg_set_defaults(&encoder_);
        jpeg_set_quality(&encoder_, kQuality, TRUE);
        encoder_.comp_info[0].h_samp_factor = 1; // colours of full resolution
        encoder_.comp_info[0].v_samp_factor = 1;
        jpeg_start_compress(&encoder_, TRUE);
        return true;
    }
    bool putRows(const std::uint8_t* data, std::size_t count) noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        for (std::size_t y = 0; y < count; ++y) {
            auto* row = const_cast<JSAMPROW>(data + y * rowBytes()); // libjpeg only reads it
            (void)jpeg_write_scanlines(&encoder_, &row, 1);
        }
        return true;
    }
    bool putEnd() noexcept {
        if (setjmp(target_) != 0) {
            return false;
        }
        jpeg_finish_compress(&encoder_);
        return true;
    }
    [[noreturn]] void rethrow() {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        file_.fail(message_.data());
    }

    /// Writes the first bytes of the buffer. @return false after a failure
    bool flush(std::size_t bytes) noexcept {
        try {
            file_.writeAll(buffer_.data(), bytes);
        } catch (...) {
            failure_ = std::current_exception();
            return false;
        }
        destination_.next_output_byte = buffer_.data();
        destination_.free_in_buffer = buffer_.size();
        return true;
    }
    static JpegRgbWriter& of(j_compress_ptr encoder) { return *static_cast<JpegRgbWriter*>(encoder->client_data); }
    static void onStart(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        writer.destination_.next_output_byte = writer.buffer_.data();
        writer.destination_.free_in_buffer = writer.buffer_.size();
    }
    static boolean onFull(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        if (!writer.flush(writer.buffer_.size())) {
            std::longjmp(writer.target_, 1);
        }
        return TRUE;
    }
    static void onEnd(j_compress_ptr encoder) {
        JpegRgbWriter& writer = of(encoder);
        if (!writer.flush(writer.buffer_.size() - writer.destination_.free_in_buffer)) {
            std::longjmp(writer.target_, 1);
        }
    }
    static void onError(j_common_ptr encoder) {
        auto& writer = *static_cast<JpegRgbWriter*>(encoder->client_data);
        encoder->err->format_message(encoder, writer.message_.data());
        std::longjmp(writer.target_, 1);
    }

    AtomicFile file_;
    int samples_; ///< per pixel
    jpeg_compress_struct encoder_{};
    jpeg_error_mgr errors_{};
    jpeg_destination_mgr destination_{};
    std::jmp_buf target_{};
    std::array<std::uint8_t, 65536> buffer_{};
    std::array<char, JMSG_LENGTH_MAX> message_{};
    std::exception_ptr failure_;
};

} // namespace

std::unique_ptr<RgbWriter> makeJpegRgbWriter(const std::filesystem::path& path, std::uint32_t width,
                                             std::uint32_t height, int samples) {
    return std::make_unique<JpegRgbWriter>(path, width, height, samples);
}

} // namespace pollard
