#include "json/json_weight.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <string>

namespace pollard {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kHeap = 16;                 ///< overhead of an allocation
constexpr std::uint64_t kMember = 3 * sizeof(Json); ///< of a list that grows: the old half and the new double
constexpr std::uint64_t kText = sizeof(std::string) + 2 * kHeap;
constexpr std::uint64_t kContainer = sizeof(Json::object_t) + kHeap;
constexpr std::uint64_t kTreeNode = 4 * sizeof(void*) + kHeap;
/// A key stands in the object and in the set of those that it has.
constexpr std::uint64_t kKey = sizeof(Json) + 2 * (kTreeNode + kText);

class Scales : public nlohmann::json_sax<Json> {
public:
    Scales(const std::string& kind, const JsonLimits& limits) : kind_(kind), limits_(limits) {}

    [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

    bool null() override { return add(kMember); }
    bool boolean(bool /*value*/) override { return add(kMember); }
    bool number_integer(number_integer_t /*value*/) override { return add(kMember); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return add(kMember); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return add(kMember); }
    bool string(string_t& value) override { return add(kMember + kText + value.size()); }
    bool binary(binary_t& value) override { return add(kMember + kText + value.size()); }
    bool start_object(std::size_t /*count*/) override { return open(); }
    bool key(string_t& value) override { return add(kKey + 2 * value.size()); }
    bool end_object() override { return close(); }
    bool start_array(std::size_t /*count*/) override { return open(); }
    bool end_array() override { return close(); }
    bool parse_error(std::size_t /*place*/, const std::string& /*token*/,
                     const nlohmann::detail::exception& /*problem*/) override {
        return false; // reported by the parser
    }

private:
    bool add(std::uint64_t bytes) {
        bytes_ += bytes;
        if (bytes_ > limits_.maxBytes) {
            throw Error(ErrorCode::limitExceeded, kind_ + ": its values would take more than " +
                                                      std::to_string(limits_.maxBytes >> 20U) + " MiB of memory");
        }
        return true;
    }
    bool open() {
        if (++depth_ > limits_.maxDepth) {
            throw Error(ErrorCode::invalidArgument, kind_ + ": lists and objects inside each other, more than " +
                                                        std::to_string(limits_.maxDepth) + " deep");
        }
        return add(kMember + kContainer);
    }
    bool close() {
        --depth_;
        return true;
    }

    const std::string& kind_;
    JsonLimits limits_;
    int depth_ = 0;
    std::uint64_t bytes_ = 0;
};

} // namespace

std::uint64_t jsonWeight(std::string_view text, const std::string& kind, const JsonLimits& limits) {
    Scales scales(kind, limits);
    static_cast<void>(Json::sax_parse(text, &scales));
    return scales.bytes();
}

} // namespace pollard
