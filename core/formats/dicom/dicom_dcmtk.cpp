#include "base/error.hpp"
#include "formats/dicom/dicom_pixels.hpp"
#include "io/metadata/fact_text.hpp"
#include "io/read_support.hpp"

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dcpixel.h>
#include <dcmtk/dcmdata/dcpixseq.h>
#include <dcmtk/dcmdata/dcpxitem.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmjpeg/djdecode.h>
#include <dcmtk/dcmjpls/djdecode.h>

#include <memory>
#include <mutex>

namespace pollard {

namespace {

/// Registers the decoders and ends the library's messages.
void setUpDcmtk() {
    static std::once_flag once;
    std::call_once(once, [] {
        OFLog::configure(OFLogger::OFF_LOG_LEVEL);
        DJDecoderRegistration::registerCodecs(EDC_photometricInterpretation, EUC_never, EPC_colorByPixel);
        DJLSDecoderRegistration::registerCodecs(EJLSUC_never, EJLSPC_colorByPixel);
    });
}

void require(const SourceFile& source, const OFCondition& condition) {
    if (condition.bad()) {
        throw readError(ErrorCode::fileDamaged, source.path,
                        "damaged DICOM: the pixels cannot be decoded: " + factText(condition.text()));
    }
}

} // namespace

std::string decodeWithDcmtk(const SourceFile& source, const DicomHeader& header, std::span<const std::byte> frame,
                            std::span<std::byte> out) {
    setUpDcmtk();
    // Only the elements that the decoders need, with value representations, so that no dictionary is searched.
    DcmDataset set;
    const auto put = [&](const DcmTagKey& key, std::uint64_t value) {
        auto element = std::make_unique<DcmUnsignedShort>(DcmTag(key, EVR_US));
        require(source, element->putUint16(static_cast<Uint16>(value), 0));
        require(source, set.insert(element.get()));
        (void)element.release();
    };
    put(DCM_SamplesPerPixel, header.samples);
    put(DCM_PlanarConfiguration, 0);
    put(DCM_Rows, header.rows);
    put(DCM_Columns, header.columns);
    put(DCM_BitsAllocated, static_cast<std::uint64_t>(header.bitsAllocated));
    put(DCM_BitsStored, static_cast<std::uint64_t>(header.bitsStored));
    put(DCM_HighBit, static_cast<std::uint64_t>(header.highBit));
    put(DCM_PixelRepresentation, header.isSigned ? 1 : 0);
    auto photometric = std::make_unique<DcmCodeString>(DcmTag(DCM_PhotometricInterpretation, EVR_CS));
    require(source, photometric->putString(header.photometric.c_str()));
    require(source, set.insert(photometric.get()));
    (void)photometric.release();

    const DcmTag pixelsTag(DCM_PixelData, EVR_OB);
    auto sequence = std::make_unique<DcmPixelSequence>(pixelsTag);
    for (const std::span<const std::byte> bytes : {std::span<const std::byte>(), frame}) { // table of offsets, frame
        auto item = std::make_unique<DcmPixelItem>(DcmTag(DCM_PixelItemTag, EVR_OB));
        if (!bytes.empty()) {
            require(source, item->putUint8Array(reinterpret_cast<const Uint8*>(bytes.data()),
                                                static_cast<unsigned long>(bytes.size())));
        }
        require(source, sequence->insert(item.get()));
        (void)item.release();
    }
    auto pixels = std::make_unique<DcmPixelData>(pixelsTag);
    const DcmXfer syntax(header.syntax.c_str());
    pixels->putOriginalRepresentation(syntax.getXfer(), nullptr, sequence.release());
    DcmPixelData* const inserted = pixels.get();
    require(source, set.insert(inserted));
    (void)pixels.release();

    Uint32 first = 0;
    OFString model;
    require(source, inserted->getUncompressedFrame(&set, 0, first, out.data(), static_cast<Uint32>(out.size()), model));
    return model.c_str();
}

std::string dcmtkVersion() { return PACKAGE_VERSION; }

} // namespace pollard
