#include "invert_image.hpp"

#include "cuda_stream.hpp"
#include "device_buffer.hpp"
#include "invert.cuh"

#include <string>

namespace pollard::cuda {

Image invertImage(const Image& image) {
    const std::string operation =
        "invert " + std::to_string(image.width()) + " x " + std::to_string(image.height()) + " pixels";
    Image result(image.type(), image.width(), image.height());
    dispatch(image.type(), [&]<class T>(T) {
        const Stream stream;
        DeviceBuffer<T> pixels(image.pixelCount());
        check(cudaMemcpyAsync(pixels.data(), image.data(), pixels.bytes(), cudaMemcpyHostToDevice, stream.get()),
              operation);
        check(launchInvert(PixelView<T>{pixels.data(), pixels.size()}, stream.get()), operation);
        check(cudaMemcpyAsync(result.data(), pixels.data(), pixels.bytes(), cudaMemcpyDeviceToHost, stream.get()),
              operation);
        stream.synchronize(operation);
    });
    return result;
}

} // namespace pollard::cuda
