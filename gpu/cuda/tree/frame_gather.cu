#include "cuda/tree/frame_gather.cuh"

#include "cuda/kernels/device_loop.cuh"

namespace pollard::cuda {

namespace {

template <class T> struct WritePixel {
    FrameView<T> frame;
    T* out;

    __device__ void operator()(std::size_t pixel) const { out[pixel] = frame.value(pixel); }
};

template <class T> struct WritePlanePixel {
    FrameView<T> frame;
    PlaneVoxels plane;
    T* out;

    __device__ void operator()(std::size_t pixel) const {
        out[pixel] = frame.value(plane.first + pixel % plane.width * plane.right + pixel / plane.width * plane.down);
    }
};

template <class T>
cudaError_t launch(const FrameView<T>& frame, const PlaneVoxels& plane, T* out, cudaStream_t stream) {
    return launchEach(WritePlanePixel<T>{frame, plane, out}, std::size_t{plane.width} * plane.height, stream);
}

template <class T> cudaError_t launch(const FrameView<T>& frame, T* out, cudaStream_t stream) {
    return launchEach(WritePixel<T>{frame, out}, std::size_t{frame.width} * frame.height, stream);
}

} // namespace

cudaError_t launchGather(const FrameView<std::uint8_t>& frame, std::uint8_t* out, cudaStream_t stream) {
    return launch(frame, out, stream);
}
cudaError_t launchGather(const FrameView<std::uint16_t>& frame, std::uint16_t* out, cudaStream_t stream) {
    return launch(frame, out, stream);
}

cudaError_t launchGather(const FrameView<std::uint8_t>& frame, const PlaneVoxels& plane, std::uint8_t* out,
                         cudaStream_t stream) {
    return launch(frame, plane, out, stream);
}
cudaError_t launchGather(const FrameView<std::uint16_t>& frame, const PlaneVoxels& plane, std::uint16_t* out,
                         cudaStream_t stream) {
    return launch(frame, plane, out, stream);
}

} // namespace pollard::cuda
