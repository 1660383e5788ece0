#include "formats/jpeg2000/jp2_decoder.hpp"

#include "formats/jpeg2000/jp2_siz.hpp"

#include <algorithm>
#include <new>
#include <thread>

namespace pollard {

Jp2Decoder::Jp2Decoder(const SourceFile& source, int reduce, int threads) : source_(source) {
    state_->file = openForReading(source);
    state_->size = source.size;
    makeStream();
    codec_.reset(opj_create_decompress(isJp2Codestream(source.head) ? OPJ_CODEC_J2K : OPJ_CODEC_JP2));
    if (!codec_) {
        throw std::bad_alloc();
    }
    opj_set_error_handler(codec_.get(), onError, state_.get());
    opj_set_warning_handler(codec_.get(), onMessage, state_.get());
    opj_set_info_handler(codec_.get(), onMessage, state_.get());
    opj_dparameters_t parameters;
    opj_set_default_decoder_parameters(&parameters);
    parameters.cp_reduce = static_cast<OPJ_UINT32>(reduce);
    if (opj_setup_decoder(codec_.get(), &parameters) == OPJ_FALSE ||
        opj_decoder_set_strict_mode(codec_.get(), OPJ_TRUE) == OPJ_FALSE) {
        fail("the decoder cannot be set up");
    }
    const int workers = threads > 0 ? threads : static_cast<int>(std::thread::hardware_concurrency());
    if (opj_has_thread_support() != OPJ_FALSE && workers > 1) {
        opj_codec_set_threads(codec_.get(), workers);
    }
    opj_image_t* image = nullptr;
    const bool read = opj_read_header(stream_.get(), codec_.get(), &image) != OPJ_FALSE;
    image_.reset(image);
    if (!read || image == nullptr || image->numcomps == 0) {
        fail("the header cannot be read");
    }
}

void Jp2Decoder::makeStream() {
    stream_.reset(opj_stream_default_create(OPJ_TRUE));
    if (!stream_) {
        throw std::bad_alloc();
    }
    opj_stream_set_user_data(stream_.get(), state_.get(), nullptr);
    opj_stream_set_user_data_length(stream_.get(), state_->size);
    opj_stream_set_read_function(stream_.get(), onRead);
    opj_stream_set_skip_function(stream_.get(), onSkip);
    opj_stream_set_seek_function(stream_.get(), onSeek);
}

int Jp2Decoder::reductions() const {
    opj_codestream_info_v2_t* info = opj_get_cstr_info(codec_.get());
    if (info == nullptr || info->m_default_tile_info.tccp_info == nullptr) {
        opj_destroy_cstr_info(&info);
        return 0;
    }
    OPJ_UINT32 least = OPJ_J2K_MAXRLVLS;
    for (OPJ_UINT32 c = 0; c < info->nbcomps; ++c) {
        least = std::min(least, info->m_default_tile_info.tccp_info[c].numresolutions);
    }
    opj_destroy_cstr_info(&info);
    return least == 0 ? 0 : static_cast<int>(least) - 1;
}

void Jp2Decoder::decode(std::uint32_t left, std::uint32_t top, std::uint32_t right, std::uint32_t bottom,
                        const JobControl& control) {
    state_->control = &control;
    const bool decoded =
        opj_set_decode_area(codec_.get(), image_.get(), static_cast<OPJ_INT32>(left), static_cast<OPJ_INT32>(top),
                            static_cast<OPJ_INT32>(right), static_cast<OPJ_INT32>(bottom)) != OPJ_FALSE &&
        opj_decode(codec_.get(), stream_.get(), image_.get()) != OPJ_FALSE;
    state_->control = nullptr;
    control.throwIfStopped();
    if (!decoded || !state_->firstError.empty()) {
        fail("the pixels cannot be decoded");
    }
}

void Jp2Decoder::fail(const std::string& what) const {
    std::string why = state_->firstError;
    why.erase(why.find_last_not_of(" \n\r.") + 1);
    throw readError(ErrorCode::fileDamaged, source_.path,
                    "damaged JPEG 2000: " + what + (why.empty() ? "" : ": " + why));
}

OPJ_SIZE_T Jp2Decoder::onRead(void* buffer, OPJ_SIZE_T bytes, void* state) {
    const auto& self = *static_cast<State*>(state);
    constexpr auto kEnd = static_cast<OPJ_SIZE_T>(-1);
    if (self.control != nullptr && self.control->stopRequested()) {
        return kEnd;
    }
    const std::size_t got = std::fread(buffer, 1, bytes, self.file.get());
    return got == 0 ? kEnd : got;
}

OPJ_OFF_T Jp2Decoder::onSkip(OPJ_OFF_T bytes, void* state) {
    const auto& self = *static_cast<State*>(state);
    const off_t at = ::ftello(self.file.get());
    // Seeking past the end succeeds on files, and the decoder would then believe the missing length.
    const auto rest = static_cast<OPJ_OFF_T>(self.size) - static_cast<OPJ_OFF_T>(at);
    const OPJ_OFF_T step = std::min(bytes, rest);
    return step < 0 || ::fseeko(self.file.get(), static_cast<off_t>(step), SEEK_CUR) != 0 ? -1 : step;
}

OPJ_BOOL Jp2Decoder::onSeek(OPJ_OFF_T offset, void* state) {
    const auto& self = *static_cast<State*>(state);
    return offset >= 0 && ::fseeko(self.file.get(), static_cast<off_t>(offset), SEEK_SET) == 0 ? OPJ_TRUE : OPJ_FALSE;
}

void Jp2Decoder::onError(const char* message, void* state) {
    try {
        auto& self = *static_cast<State*>(state);
        if (self.firstError.empty()) {
            self.firstError = message;
        }
    } catch (...) {
        // Only memory can be exhausted; the failure is reported without the message.
    }
}

void Jp2Decoder::onMessage(const char*, void*) {}

} // namespace pollard
