#pragma once

// Marks functions for host and device, so that g++ and its sanitizers compile the same formulas.
#ifdef __CUDACC__
#define POLLARD_HOST_DEVICE __host__ __device__
#else
#define POLLARD_HOST_DEVICE
#endif
