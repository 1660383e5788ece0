#include "value_mappings.hpp"

#include "arrays.hpp"
#include "bindings.hpp"

#include "base/error.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>

namespace pollard::python {

namespace {

struct TypeName {
    ValueType type;
    std::string_view name;
};
constexpr std::array kTypes{TypeName{ValueType::u8, "uint8"},    TypeName{ValueType::u16, "uint16"},
                            TypeName{ValueType::u32, "uint32"},  TypeName{ValueType::u64, "uint64"},
                            TypeName{ValueType::i8, "int8"},     TypeName{ValueType::i16, "int16"},
                            TypeName{ValueType::i32, "int32"},   TypeName{ValueType::i64, "int64"},
                            TypeName{ValueType::f32, "float32"}, TypeName{ValueType::f64, "float64"}};

ValueType typeNamed(const std::string& name) {
    for (const TypeName& each : kTypes) {
        if (each.name == name) {
            return each.type;
        }
    }
    throw Error(ErrorCode::invalidArgument, "values: the type '" + name + "' is unknown");
}

std::string nameOfType(ValueType type) {
    for (const TypeName& each : kTypes) {
        if (each.type == type) {
            return std::string(each.name);
        }
    }
    return "float64";
}

} // namespace

ValueMapping mappingOf(const std::string& type, double offset, const std::optional<Numbers>& values,
                       const std::optional<SampleBits>& samples) {
    ValueMapping mapping;
    mapping.offset = offset;
    mapping.exact = true;
    mapping.file.type = typeNamed(type);
    if (!values || !samples) {
        mapping.file.first = mapping.nearestSample(offset);
        return mapping;
    }
    if (values->size() == 0 || values->size() != samples->size()) {
        throw Error(ErrorCode::invalidArgument, "values: the tables are empty or have different lengths");
    }
    auto ranks = std::make_shared<RankedValues>();
    ranks->values.assign(values->data(), values->data() + values->size());
    ranks->samples.assign(samples->data(), samples->data() + samples->size());
    mapping.minimum = ranks->values.front();
    mapping.maximum = ranks->values.back();
    mapping.ranks = std::move(ranks);
    return mapping;
}

bool hasIntegers(const ValueMapping& mapping) noexcept {
    return mapping.file.type != ValueType::f32 && mapping.file.type != ValueType::f64;
}

py::array valuesOfLevels(const ValueMapping& mapping) {
    constexpr std::size_t kLevels = std::size_t{1} << 16;
    const std::size_t count = mapping.ranks != nullptr ? mapping.ranks->values.size() : kLevels;
    const Shape shape{static_cast<py::ssize_t>(count)}; // with strides by the size of a value, see imageOf()
    const bool areSamples = mapping.file.slope == 1 && mapping.file.intercept == 0;
    if (!areSamples) {
        py::array_t<double> values(shape);
        double* next = values.mutable_data();
        for (std::size_t level = 0; level < count; ++level) {
            *next++ = mapping.valueOf(static_cast<double>(level));
        }
        return values;
    }
    SampleBits bits(shape);
    std::uint64_t* next = bits.mutable_data();
    for (std::size_t level = 0; level < count; ++level) {
        *next++ = mapping.sampleOf(static_cast<std::uint16_t>(level));
    }
    // The sample is in the low bytes.
    const std::string name = nameOfType(mapping.file.type);
    const py::object type = py::dtype(name);
    const auto bytes = type.attr("itemsize").cast<int>();
    return bits.attr("astype")("u" + std::to_string(bytes)).attr("view")(type);
}

void bindValueMappings(py::module_& module) {
    py::class_<ValueMapping>(module, "ValueMapping")
        .def(py::init(&mappingOf), py::arg("type"), py::arg("offset"), py::arg("values"), py::arg("samples"));
}

} // namespace pollard::python
