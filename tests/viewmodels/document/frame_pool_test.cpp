#include "vm/image/shown_image.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>
#include <vector>

namespace pollard::vm {
namespace {

TEST(FramePool, NeverLendsAFrameThatSomebodyHolds) {
    FramePool pool;
    std::vector<std::shared_ptr<const Image>> held;
    std::set<const Image*> different;
    for (int i = 0; i < 5; ++i) {
        held.push_back(pool.acquire(PixelType::u8, 4, 4));
        different.insert(held.back().get());
    }
    EXPECT_EQ(different.size(), 5U);
}

TEST(FramePool, ADragAllocatesTwoFrames) {
    FramePool pool;
    std::shared_ptr<const Image> shown;
    for (int i = 0; i < 200; ++i) {
        const std::shared_ptr<Image> next = pool.acquire(PixelType::u16, 8, 8);
        EXPECT_NE(next.get(), shown.get());
        shown = next;
    }
    EXPECT_EQ(pool.allocations(), 2U);
}

TEST(FramePool, AFrameThatAViewKeepsStaysAsItIs) {
    FramePool pool;
    std::shared_ptr<Image> first = pool.acquire(PixelType::u8, 1, 1);
    first->pixels<std::uint8_t>()[0] = 77;
    const std::shared_ptr<const Image> view = std::move(first);
    for (int i = 0; i < 10; ++i) {
        pool.acquire(PixelType::u8, 1, 1)->pixels<std::uint8_t>()[0] = 1;
    }
    EXPECT_EQ(view->level(0), 77);
}

TEST(FramePool, AnotherShapeGetsItsOwnFrame) {
    FramePool pool;
    pool.acquire(PixelType::u8, 4, 4).reset();
    const auto wide = pool.acquire(PixelType::u8, 8, 2);
    EXPECT_EQ(wide->width(), 8U);
    const auto deep = pool.acquire(PixelType::u16, 4, 4);
    EXPECT_EQ(deep->type(), PixelType::u16);
    EXPECT_EQ(pool.allocations(), 3U);
}

TEST(FramePool, FramesOutliveThePool) {
    std::shared_ptr<Image> frame;
    {
        FramePool pool;
        frame = pool.acquire(PixelType::u8, 2, 2);
    }
    frame->pixels<std::uint8_t>()[3] = 9;
    EXPECT_EQ(frame->level(3), 9);
}

TEST(FramePool, TakesFramesBackFromOtherThreads) {
    FramePool pool;
    for (int i = 0; i < 50; ++i) {
        std::shared_ptr<Image> frame = pool.acquire(PixelType::u8, 16, 16);
        frame->pixels<std::uint8_t>()[0] = static_cast<std::uint8_t>(i);
        std::jthread reader([view = std::shared_ptr<const Image>(std::move(frame)), i] {
            EXPECT_EQ(view->level(0), static_cast<std::uint8_t>(i));
        });
    }
    EXPECT_LE(pool.allocations(), 2U);
}

} // namespace
} // namespace pollard::vm
