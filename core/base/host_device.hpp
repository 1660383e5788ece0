#pragma once

// Marks functions that run on the host and on a device, so that g++ and its sanitizers see the same formulas.
#ifdef __CUDACC__
#define POLLARD_HOST_DEVICE __host__ __device__
#else
#define POLLARD_HOST_DEVICE
#endif
