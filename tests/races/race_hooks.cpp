// The functions that g++ -fsanitize=thread calls at accesses to memory, in place of ThreadSanitizer's library, which
// does not recognise the emulator's threads. Compiled without that option.

#include "cuda/emulation/emulator.hpp"

#include <cstddef>
#include <cstdint>

namespace {

using pollard::cuda::emulation::Emulator;

void note(const void* memory, std::size_t bytes, Emulator::Access access) {
    if (Emulator* const emulator = Emulator::running(); emulator != nullptr) {
        emulator->note(memory, bytes, access);
    }
}
void noteRead(const void* memory, std::size_t bytes) { note(memory, bytes, Emulator::Access::read); }
void noteWrite(const void* memory, std::size_t bytes) { note(memory, bytes, Emulator::Access::write); }

} // namespace

#define POLLARD_PLAIN(bytes)                                                                                           \
    void __tsan_read##bytes(void* memory) { noteRead(memory, bytes); }                                                 \
    void __tsan_write##bytes(void* memory) { noteWrite(memory, bytes); }                                               \
    void __tsan_unaligned_read##bytes(void* memory) { noteRead(memory, bytes); }                                       \
    void __tsan_unaligned_write##bytes(void* memory) { noteWrite(memory, bytes); }

// Atomics of C++: tests and GoogleTest have some, kernels none.
#define POLLARD_ATOMIC(bits)                                                                                           \
    using Word##bits = std::uint##bits##_t;                                                                            \
    Word##bits __tsan_atomic##bits##_load(const Word##bits* at, int) { return __atomic_load_n(at, __ATOMIC_SEQ_CST); } \
    void __tsan_atomic##bits##_store(Word##bits* at, Word##bits value, int) {                                          \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                                 \
    }                                                                                                                  \
    Word##bits __tsan_atomic##bits##_fetch_add(Word##bits* at, Word##bits value, int) {                                \
        return __atomic_fetch_add(at, value, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                                  \
    Word##bits __tsan_atomic##bits##_fetch_sub(Word##bits* at, Word##bits value, int) {                                \
        return __atomic_fetch_sub(at, value, __ATOMIC_SEQ_CST);                                                        \
    }

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_read_range(void* memory, std::size_t bytes) { noteRead(memory, bytes); }
void __tsan_write_range(void* memory, std::size_t bytes) { noteWrite(memory, bytes); }
void __tsan_vptr_update(void*, void*) {}
POLLARD_PLAIN(1)
POLLARD_PLAIN(2)
POLLARD_PLAIN(4)
POLLARD_PLAIN(8)
POLLARD_PLAIN(16)
POLLARD_ATOMIC(8)
POLLARD_ATOMIC(32)
POLLARD_ATOMIC(64)

} // extern "C"
