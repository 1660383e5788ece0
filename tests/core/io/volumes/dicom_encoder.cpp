#include "core/io/volumes/dicom_encoder.hpp"

#include <dcmtk/config/osconfig.h>

#include <dcmtk/dcmdata/dcistrmb.h>
#include <dcmtk/dcmdata/dcostrmb.h>
#include <dcmtk/dcmdata/dcrleerg.h>
#include <dcmtk/dcmdata/dctk.h>
#include <dcmtk/dcmimage/diregist.h>
#include <dcmtk/dcmjpeg/djencode.h>
#include <dcmtk/dcmjpeg/djrplol.h>
#include <dcmtk/dcmjpeg/djrploss.h>
#include <dcmtk/dcmjpls/djencode.h>

#include <memory>
#include <mutex>
#include <stdexcept>

namespace pollard::test {

std::string encodedDicom(const std::string& file, const std::string& syntax) {
    static std::once_flag once;
    std::call_once(once, [] {
        OFLog::configure(OFLogger::OFF_LOG_LEVEL);
        // Baseline JPEG keeps its sizes and levels: no window, no rescaled samples.
        DJEncoderRegistration::registerCodecs(ECC_lossyYCbCr, EUC_never, OFFalse, 0, 0, 0, OFTrue);
        DJLSEncoderRegistration::registerCodecs();
        DcmRLEEncoderRegistration::registerCodecs();
    });
    const auto require = [](const OFCondition& condition) {
        if (condition.bad()) {
            throw std::runtime_error(condition.text());
        }
    };
    DcmInputBufferStream in;
    in.setBuffer(file.data(), static_cast<offile_off_t>(file.size()));
    in.setEos();
    DcmFileFormat format;
    format.transferInit();
    require(format.read(in));
    format.transferEnd();
    DcmDataset& set = *format.getDataset();
    require(set.putAndInsertString(DCM_SOPClassUID, UID_SecondaryCaptureImageStorage));
    require(set.putAndInsertString(DCM_SOPInstanceUID, "1.2.3.4"));
    const E_TransferSyntax wanted = DcmXfer(syntax.c_str()).getXfer();
    const DJ_RPLossy lossy(95);
    const DJ_RPLossless lossless;
    require(set.chooseRepresentation(wanted, wanted == EXS_JPEGProcess1
                                                 ? static_cast<const DcmRepresentationParameter*>(&lossy)
                                             : wanted == EXS_JPEGProcess14SV1 ? &lossless
                                                                              : nullptr));
    std::string buffer(file.size() * 4 + 100000, '\0');
    DcmOutputBufferStream out(buffer.data(), static_cast<offile_off_t>(buffer.size()));
    format.transferInit();
    require(format.write(out, wanted, EET_UndefinedLength, nullptr));
    format.transferEnd();
    void* data = nullptr;
    offile_off_t length = 0;
    out.flushBuffer(data, length);
    return {static_cast<const char*>(data), static_cast<std::size_t>(length)};
}

} // namespace pollard::test
