#pragma once

#include "base/compiler.hpp"

#include <ucontext.h>

#include <cstddef>
#include <memory>

#if defined(POLLARD_ASAN)
#include <sanitizer/common_interface_defs.h>
#endif

// A jump out of a function leaves the marks that the address sanitizer sets around its variables.
#define POLLARD_PLAIN_STACK __attribute__((no_sanitize_address))

namespace pollard::cuda::emulation {

/// A flow of control with its own stack, which runs until it switches to another fibre. A switch takes some
/// nanoseconds: it is a jump built into the compiler, without the system call of swapcontext() that saves the signal
/// mask. Fibres that switch to each other belong to one thread of the operating system.
class Fibre {
public:
    /// The calling thread's own flow of control.
    Fibre() = default;

    /// A new fibre. The first switch to it calls entry(argument), which must never return.
    Fibre(std::size_t stackBytes, void (*entry)(void*), void* argument)
        : entry_(entry), argument_(argument), stack_(new char[stackBytes]), stackBottom_(stack_.get()),
          stackBytes_(stackBytes) {}

    ~Fibre() {
#if defined(POLLARD_ASAN)
        if (started_) {
            ending_ = true;
            Fibre here;
            here.handOver(*this); // the sanitizer frees its data of a fibre only from within
        }
#endif
    }
    Fibre(const Fibre&) = delete;
    Fibre& operator=(const Fibre&) = delete;

    /// Leaves this fibre and continues @p other. Returns at the next hand-over to this fibre.
    [[gnu::noinline]] POLLARD_PLAIN_STACK void handOver(Fibre& other) {
        leave(other);
        if (__builtin_setjmp(static_cast<void**>(registers_)) == 0) {
            other.resume();
        }
        arrive();
    }

private:
    [[noreturn, gnu::noinline]] POLLARD_PLAIN_STACK void resume() {
        if (entry_ != nullptr && !started_) {
            started_ = true;
            starting() = this;
            ucontext_t context;
            getcontext(&context);
            context.uc_stack.ss_sp = stack_.get();
            context.uc_stack.ss_size = stackBytes_;
            context.uc_link = nullptr;
            makecontext(&context, &Fibre::start, 0);
            setcontext(&context);
        }
        __builtin_longjmp(static_cast<void**>(registers_), 1);
    }

    POLLARD_PLAIN_STACK static void start() {
        Fibre& self = *starting();
        self.arrive();
        self.entry_(self.argument_);
    }

    // Sanitizers need to know about a change of stacks.
    void leave([[maybe_unused]] Fibre& other) {
#if defined(POLLARD_ASAN)
        previous() = this;
        __sanitizer_start_switch_fiber(&fakeStack_, other.stackBottom_, other.stackBytes_);
#endif
    }
    void arrive() {
#if defined(POLLARD_ASAN)
        __sanitizer_finish_switch_fiber(fakeStack_, &previous()->stackBottom_, &previous()->stackBytes_);
        if (ending_) {
            Fibre& last = *previous();
            previous() = this;
            __sanitizer_start_switch_fiber(nullptr, last.stackBottom_, last.stackBytes_);
            last.resume();
        }
#endif
    }

    static Fibre*& starting() noexcept {
        static thread_local Fibre* fibre = nullptr;
        return fibre;
    }
    [[maybe_unused]] static Fibre*& previous() noexcept {
        static thread_local Fibre* fibre = nullptr;
        return fibre;
    }

    void* registers_[5] = {};
    void (*entry_)(void*) = nullptr;
    void* argument_ = nullptr;
    bool started_ = false;
    [[maybe_unused]] bool ending_ = false;
    std::unique_ptr<char[]> stack_;
    [[maybe_unused]] const void* stackBottom_ = nullptr; ///< of the own flow of control: filled in by the sanitizer
    [[maybe_unused]] std::size_t stackBytes_ = 0;
    [[maybe_unused]] void* fakeStack_ = nullptr;
};

} // namespace pollard::cuda::emulation

#undef POLLARD_PLAIN_STACK
