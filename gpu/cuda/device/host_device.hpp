#pragma once

#include "base/host_device.hpp" // POLLARD_HOST_DEVICE, which formulas of core need as well
