#include "core/io/io_jp2_variants.hpp"

#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace pollard::test {

namespace {

OPJ_SIZE_T onWrite(void* data, OPJ_SIZE_T bytes, void* file) {
    return std::fwrite(data, 1, bytes, static_cast<std::FILE*>(file));
}
OPJ_OFF_T onSkip(OPJ_OFF_T bytes, void* file) {
    return fseeko(static_cast<std::FILE*>(file), bytes, SEEK_CUR) == 0 ? bytes : -1;
}
OPJ_BOOL onSeek(OPJ_OFF_T offset, void* file) {
    return fseeko(static_cast<std::FILE*>(file), offset, SEEK_SET) == 0 ? OPJ_TRUE : OPJ_FALSE;
}

} // namespace

void writeJp2(const std::filesystem::path& path, const Jp2Variant& v, const Jp2Sample& value) {
    std::vector<opj_image_cmptparm_t> parameters(static_cast<std::size_t>(v.components));
    for (std::size_t c = 0; c < parameters.size(); ++c) {
        opj_image_cmptparm_t& p = parameters[c];
        std::memset(&p, 0, sizeof p);
        p.dx = p.dy = c == 1 || c == 2 ? v.subsampling : 1;
        p.w = (v.width + p.dx - 1) / p.dx;
        p.h = (v.height + p.dy - 1) / p.dy;
        p.prec = static_cast<OPJ_UINT32>(v.bits);
        p.sgnd = v.isSigned ? 1 : 0;
    }
    opj_image_t* image = opj_image_create(static_cast<OPJ_UINT32>(v.components), parameters.data(), v.space);
    image->x0 = image->y0 = v.offset;
    image->x1 = v.offset + v.width;
    image->y1 = v.offset + v.height;
    for (int c = 0; c < v.components; ++c) {
        opj_image_comp_t& component = image->comps[c];
        component.alpha = c == v.alpha ? 1 : 0;
        for (std::uint32_t y = 0; y < component.h; ++y) {
            for (std::uint32_t x = 0; x < component.w; ++x) {
                component.data[std::size_t{y} * component.w + x] = value(c, x, y);
            }
        }
    }
    opj_cparameters_t coding;
    opj_set_default_encoder_parameters(&coding);
    coding.numresolution = 4;
    coding.tcp_numlayers = 1;
    coding.cp_disto_alloc = 1;
    if (v.tile != 0) {
        coding.tile_size_on = OPJ_TRUE;
        coding.cp_tdx = coding.cp_tdy = static_cast<int>(v.tile);
    }
    opj_codec_t* codec = opj_create_compress(v.codestream ? OPJ_CODEC_J2K : OPJ_CODEC_JP2);
    ASSERT_TRUE(opj_setup_encoder(codec, &coding, image));
    std::filesystem::remove(path);
    std::FILE* file = std::fopen(path.c_str(), "wb");
    opj_stream_t* stream = opj_stream_default_create(OPJ_FALSE);
    opj_stream_set_user_data(stream, file, nullptr);
    opj_stream_set_write_function(stream, onWrite);
    opj_stream_set_skip_function(stream, onSkip);
    opj_stream_set_seek_function(stream, onSeek);
    ASSERT_TRUE(opj_start_compress(codec, image, stream) && opj_encode(codec, stream) &&
                opj_end_compress(codec, stream));
    opj_stream_destroy(stream);
    std::fclose(file);
    opj_destroy_codec(codec);
    opj_image_destroy(image);
}

} // namespace pollard::test
