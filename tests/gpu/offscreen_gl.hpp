#pragma once

#include <GL/gl.h>
#include <dlfcn.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#ifndef GL_RED_INTEGER
#define GL_RED_INTEGER 0x8D94
#endif
#ifndef GL_R8UI
#define GL_R8UI 0x8232
#endif
#ifndef GL_R16UI
#define GL_R16UI 0x8234
#endif
#ifndef GL_R32UI
#define GL_R32UI 0x8236
#endif
#ifndef GL_TEXTURE_2D_ARRAY
#define GL_TEXTURE_2D_ARRAY 0x8C1A
#endif
#ifndef GL_CLAMP_TO_EDGE
#define GL_CLAMP_TO_EDGE 0x812F
#endif
#ifndef GL_TEXTURE_MAX_LEVEL
#define GL_TEXTURE_MAX_LEVEL 0x813D
#endif

namespace pollard::testing {

/// An OpenGL context without a window, current on this thread for as long as this lives. EGL is loaded when it is
/// needed, so that the tests start where there is none.
class OffscreenGl {
public:
    /// Takes the first device whose GL_VENDOR satisfies @p wanted.
    explicit OffscreenGl(const std::function<bool(const std::string& vendor)>& wanted) {
        library_ = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) {
            problem_ = "no EGL is installed";
            return;
        }
        const auto getProcAddress = reinterpret_cast<Function (*)(const char*)>(dlsym(library_, "eglGetProcAddress"));
        const auto load = [&](auto& function, const char* name) {
            void* found = dlsym(library_, name);
            if (found == nullptr) {
                found = reinterpret_cast<void*>(getProcAddress(name));
            }
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(found);
        };
        load(queryDevices_, "eglQueryDevicesEXT");
        load(getPlatformDisplay_, "eglGetPlatformDisplayEXT");
        load(initialize_, "eglInitialize");
        load(bindApi_, "eglBindAPI");
        load(chooseConfig_, "eglChooseConfig");
        load(createPbuffer_, "eglCreatePbufferSurface");
        load(createContext_, "eglCreateContext");
        load(makeCurrent_, "eglMakeCurrent");
        load(destroyContext_, "eglDestroyContext");
        load(terminate_, "eglTerminate");
        const auto loadGl = [&](auto& function, const char* name) {
            function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(getProcAddress(name));
        };
        loadGl(getString, "glGetString");
        loadGl(getError, "glGetError");
        loadGl(genTextures, "glGenTextures");
        loadGl(deleteTextures, "glDeleteTextures");
        loadGl(bindTexture, "glBindTexture");
        loadGl(texParameteri, "glTexParameteri");
        loadGl(texImage2D, "glTexImage2D");
        loadGl(texImage3D, "glTexImage3D");
        loadGl(getTexImage, "glGetTexImage");
        loadGl(pixelStorei, "glPixelStorei");
        loadGl(finish, "glFinish");
        std::array<void*, 32> devices{};
        std::int32_t count = 0;
        if (queryDevices_ == nullptr || getPlatformDisplay_ == nullptr ||
            queryDevices_(static_cast<std::int32_t>(devices.size()), devices.data(), &count) == 0) {
            problem_ = "EGL knows no devices";
            return;
        }
        problem_ = "no EGL device of the wanted kind; there are:";
        for (std::int32_t i = 0; i < count; ++i) {
            const std::string vendor = open(devices[static_cast<std::size_t>(i)]);
            if (!vendor.empty() && wanted(vendor)) {
                problem_.clear();
                return;
            }
            problem_ += " '" + vendor + "'";
            close();
        }
    }
    ~OffscreenGl() { close(); }
    OffscreenGl(const OffscreenGl&) = delete;
    OffscreenGl& operator=(const OffscreenGl&) = delete;

    /// Why there is no context; empty if there is one.
    [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

    const GLubyte* (*getString)(GLenum) = nullptr;
    GLenum (*getError)() = nullptr;
    void (*genTextures)(GLsizei, GLuint*) = nullptr;
    void (*deleteTextures)(GLsizei, const GLuint*) = nullptr;
    void (*bindTexture)(GLenum, GLuint) = nullptr;
    void (*texParameteri)(GLenum, GLenum, GLint) = nullptr;
    void (*texImage2D)(GLenum, GLint, GLint, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*) = nullptr;
    void (*texImage3D)(GLenum, GLint, GLint, GLsizei, GLsizei, GLsizei, GLint, GLenum, GLenum, const void*) = nullptr;
    void (*getTexImage)(GLenum, GLint, GLenum, GLenum, void*) = nullptr;
    void (*pixelStorei)(GLenum, GLint) = nullptr;
    void (*finish)() = nullptr;

private:
    using Function = void (*)();
    static constexpr std::uint32_t kPlatformDevice = 0x313F;
    static constexpr std::uint32_t kOpenGlApi = 0x30A2;
    static constexpr std::int32_t kSurfaceType = 0x3033;
    static constexpr std::int32_t kPbufferBit = 0x0001;
    static constexpr std::int32_t kRenderableType = 0x3040;
    static constexpr std::int32_t kOpenGlBit = 0x0008;
    static constexpr std::int32_t kWidth = 0x3057;
    static constexpr std::int32_t kHeight = 0x3056;
    static constexpr std::int32_t kMajor = 0x3098;
    static constexpr std::int32_t kMinor = 0x30FB;
    static constexpr std::int32_t kNone = 0x3038;

    /// The vendor of the context that it made current, or nothing.
    std::string open(void* device) {
        display_ = getPlatformDisplay_(kPlatformDevice, device, nullptr);
        std::int32_t major = 0;
        std::int32_t minor = 0;
        if (display_ == nullptr || initialize_(display_, &major, &minor) == 0) {
            display_ = nullptr;
            return {};
        }
        const std::array wanted{kSurfaceType, kPbufferBit, kRenderableType, kOpenGlBit, kNone};
        const std::array surface{kWidth, 1, kHeight, 1, kNone};
        const std::array version{kMajor, 3, kMinor, 3, kNone};
        void* config = nullptr;
        std::int32_t configs = 0;
        if (bindApi_(kOpenGlApi) == 0 || chooseConfig_(display_, wanted.data(), &config, 1, &configs) == 0 ||
            configs == 0) {
            return {};
        }
        void* pbuffer = createPbuffer_(display_, config, surface.data());
        context_ = createContext_(display_, config, nullptr, version.data());
        if (context_ == nullptr || makeCurrent_(display_, pbuffer, pbuffer, context_) == 0) {
            return {};
        }
        return reinterpret_cast<const char*>(getString(GL_VENDOR));
    }

    void close() {
        if (display_ == nullptr) {
            return;
        }
        makeCurrent_(display_, nullptr, nullptr, nullptr);
        if (context_ != nullptr) {
            destroyContext_(display_, context_);
        }
        terminate_(display_);
        display_ = nullptr;
        context_ = nullptr;
    }

    std::string problem_;
    void* library_ = nullptr; // stays loaded: drivers do not like to go
    void* display_ = nullptr;
    void* context_ = nullptr;
    std::uint32_t (*queryDevices_)(std::int32_t, void**, std::int32_t*) = nullptr;
    void* (*getPlatformDisplay_)(std::uint32_t, void*, const std::int32_t*) = nullptr;
    std::uint32_t (*initialize_)(void*, std::int32_t*, std::int32_t*) = nullptr;
    std::uint32_t (*bindApi_)(std::uint32_t) = nullptr;
    std::uint32_t (*chooseConfig_)(void*, const std::int32_t*, void**, std::int32_t, std::int32_t*) = nullptr;
    void* (*createPbuffer_)(void*, void*, const std::int32_t*) = nullptr;
    void* (*createContext_)(void*, void*, void*, const std::int32_t*) = nullptr;
    std::uint32_t (*makeCurrent_)(void*, void*, void*, void*) = nullptr;
    std::uint32_t (*destroyContext_)(void*, void*) = nullptr;
    std::uint32_t (*terminate_)(void*) = nullptr;
};

} // namespace pollard::testing
