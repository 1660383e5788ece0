#include "objects.hpp"

#include "arrays.hpp"

#include "components/objects/object_features.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace pollard::python {

py::dict tableOf(const MeasuredObjects& objects, const std::vector<std::uint32_t>& labels) {
    py::dict table;
    for (const ObjectFeatureInfo& info : objectFeatures(objects.components().connectivity)) {
        const auto cell = [&](std::uint32_t label) { return objects.value(label, info.feature); };
        const py::str name{std::string(info.id)};
        if (isWhole(info, objects.unit())) {
            table[name] = columnOf<std::int64_t>(labels, cell);
        } else {
            table[name] = columnOf<double>(labels, cell);
        }
    }
    return table;
}

} // namespace pollard::python
