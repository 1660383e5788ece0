#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace pollard::test {

/// SHA-256 (FIPS 180-4) as lower-case hexadecimal, as in the corpus manifest.
inline std::string sha256(std::string_view bytes) {
    // Fractional parts of the square and cube roots of the first primes, as in the standard.
    static const auto constants = [] {
        struct {
            std::array<std::uint32_t, 8> start{};
            std::array<std::uint32_t, 64> round{};
        } c;
        const auto fraction = [](unsigned prime, unsigned power) {
            // Largest n with n^power <= prime * 2^(32 * power); its low 32 bits are the fraction.
            __extension__ using Wide = unsigned __int128;
            std::uint64_t n = 0;
            for (std::uint64_t bit = 1ULL << 40; bit != 0; bit >>= 1) {
                const std::uint64_t trial = n | bit;
                const Wide square = static_cast<Wide>(trial) * trial;
                const bool fits = power == 2 ? square <= static_cast<Wide>(prime) << 64
                                             : square <= (static_cast<Wide>(prime) << 96) / trial;
                n = fits ? trial : n;
            }
            return static_cast<std::uint32_t>(n);
        };
        std::size_t found = 0;
        for (unsigned candidate = 2; found < 64; ++candidate) {
            bool prime = true;
            for (unsigned d = 2; d * d <= candidate; ++d) {
                prime = prime && candidate % d != 0;
            }
            if (prime) {
                if (found < 8) {
                    c.start[found] = fraction(candidate, 2);
                }
                c.round[found++] = fraction(candidate, 3);
            }
        }
        return c;
    }();
    std::string message(bytes);
    message += '\x80';
    message.resize((message.size() + 8 + 63) / 64 * 64 - 8, '\0');
    for (int shift = 56; shift >= 0; shift -= 8) {
        message += static_cast<char>(std::uint64_t{bytes.size()} * 8 >> shift);
    }
    auto state = constants.start;
    for (std::size_t block = 0; block < message.size(); block += 64) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 64; ++i) {
            const auto byte = static_cast<unsigned char>(message[block + i]);
            w[i / 4] = w[i / 4] << 8 | byte;
        }
        for (std::size_t i = 16; i < 64; ++i) {
            const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3;
            const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10;
            w[i] = w[i - 16] + s0 + w[i - 7] + s1;
        }
        auto [a, b, c, d, e, f, g, h] = state;
        for (std::size_t i = 0; i < 64; ++i) {
            const std::uint32_t t1 = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                     ((e & f) ^ (~e & g)) + constants.round[i] + w[i];
            const std::uint32_t t2 =
                (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
            h = g;
            g = f;
            f = e;
            e = d + t1;
            d = c;
            c = b;
            b = a;
            a = t1 + t2;
        }
        const std::array<std::uint32_t, 8> step = {a, b, c, d, e, f, g, h};
        for (std::size_t i = 0; i < 8; ++i) {
            state[i] += step[i];
        }
    }
    std::string hex;
    for (const std::uint32_t word : state) {
        char text[9];
        std::snprintf(text, sizeof text, "%08x", word);
        hex += text;
    }
    return hex;
}

} // namespace pollard::test
